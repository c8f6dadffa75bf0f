import {
  conflict,
  Failure,
  internalError,
  invalid,
  notFound,
} from '../../../functions/core/errors.ts'
import type { FollowOptions, LogOptions } from '../../../functions/core/ports/engine.ts'
import type { LogLine } from '../../../functions/core/records/container.ts'
import { checkedId } from '../names/ids.ts'
import { beingRemoved, unreadableLog } from '../responses/engine-messages.ts'
import { EngineRefusal } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { linesUntil, type ReadLines } from './lines-until.ts'
import { logSplitter } from './log-lines.ts'
import type { LogBatch, LogStart } from './log-place.ts'
import { beforeSearchEnds, missesEnds, searchTime, wholeTime } from './log-search.ts'
import { type FollowedLog, watchedLog } from './watched-log.ts'

/** Milliseconds for finding the end of a log, and for all that is looked through without it. */
const usual = { search: searchTime, whole: wholeTime }

/**
 * Returns past lines of a container, oldest first, at most `tail`. If the Engine does not find the
 * end of the log, as newer ones may, looks through all of it.
 *
 * @throws 500 if that takes too long
 */
export async function readLogs(
  client: EngineClient,
  id: string,
  options: LogOptions,
  times = usual,
): Promise<LogLine[]> {
  const { tail, since, until } = options
  let left = times.whole
  const open = (start: LogStart, follow: false | 'search', stop: AbortSignal) =>
    openLog(client, id, { ...start, follow }, stop)
  const readWhole = async (start: LogStart) => {
    const began = performance.now()
    const found = await beforeSearchEnds(never, left, (stop) =>
      lastLines(open({ ...start, tail: 'all' }, false, stop), tail),
    )
    left = Math.max(1, left - (performance.now() - began))
    if (found) return found
    throw internalError(
      `The Docker Engine of host ${client.host} did not find the end of the log in time`,
      { reason: 'engine-busy' },
    )
  }
  const read = async (start: LogStart) => {
    if (!(await missesEnds(client))) return lastLines(open(start, false, never), tail)
    const found = await beforeSearchEnds(never, times.search, (stop, begin) =>
      lastLines(open(start, 'search', stop), tail, begin),
    )
    return found ?? readWhole(start)
  }
  if (until === undefined) return (await read({ tail, since })).lines
  return linesUntil(tail, (longer) => read({ tail: longer, since, until }))
}

/** Returns the last lines of a log, and how many there are. Calls `begin` at the first one. */
async function lastLines(
  batches: AsyncIterable<LogBatch>,
  wanted: number,
  begin = () => {},
): Promise<ReadLines> {
  const kept: LogLine[] = []
  let count = 0
  for await (const { lines } of batches) {
    begin()
    count += lines.length
    for (const line of lines) kept.push(line)
    // Cut in bulk: removing single lines would be slow for long logs.
    if (kept.length > 2 * wanted + 64) kept.splice(0, kept.length - wanted)
  }
  return { lines: kept.slice(Math.max(0, kept.length - wanted)), count }
}

/**
 * Yields lines in batches as they arrive from the Engine. Ends as `docker logs` does: with
 * `follow`, when the container stops.
 */
export async function* logBatches(
  client: EngineClient,
  id: string,
  { tail, since, follow }: FollowOptions,
  signal?: AbortSignal,
): AsyncGenerator<LogLine[], void, void> {
  if (follow) {
    yield* watchedLog(followedLog(client, id), { tail, since }, signal ?? never)
    return
  }
  const options = { tail, since, follow: false }
  for await (const { lines } of openLog(client, id, options, signal)) {
    if (lines.length > 0) yield lines
  }
}

const never = new AbortController().signal

const followedLog = (client: EngineClient, id: string): FollowedLog => ({
  open: (start, signal) => openLog(client, id, { ...start, follow: true }, signal),
  async lastStamp(signal, since) {
    if (since !== undefined && !(await missesEnds(client))) return undefined
    let stamp = ''
    const start: LogStart = since === undefined ? { tail: 1 } : { tail: 'all', since }
    const follow = since === undefined && 'search'
    for await (const { latest } of openLog(client, id, { ...start, follow }, signal)) stamp = latest
    return stamp
  },
})

/** @param follow `search` for the end of a log, which the caller gives its own deadline */
async function* openLog(
  client: EngineClient,
  id: string,
  { tail, since, until, follow }: LogStart & { follow: boolean | 'search' },
  signal?: AbortSignal,
): AsyncGenerator<LogBatch, void, void> {
  const path = `/containers/${checkedId('container', id)}`
  const { Config, HostConfig } = await client.json<Inspected>({
    method: 'GET',
    path: `${path}/json`,
    signal,
  })
  const query = {
    stdout: true,
    stderr: true,
    timestamps: true,
    follow: follow === true || undefined,
    tail,
    since: since === undefined ? undefined : sinceSeconds(since),
    until: until === undefined ? undefined : sinceSeconds(until, 'until'),
  }
  const deadline = follow === 'search' ? null : undefined
  const call = { method: 'GET', path: `${path}/logs`, query, signal, deadline } as const
  const response = await client.stream(call).catch((error) => {
    throw unreadable(error, HostConfig?.LogConfig?.Type)
  })
  const splitter = logSplitter(Config.Tty ? 'raw' : 'multiplexed')
  for await (const chunk of response) {
    const lines = splitter.push(chunk)
    yield { lines, latest: splitter.latest() }
  }
  const lines = splitter.end()
  yield { lines, latest: splitter.latest() }
}

/** The parts of a container that its log depends on. */
interface Inspected {
  Config: { Tty: boolean }
  HostConfig?: { LogConfig?: { Type?: string } }
}

/**
 * Returns what to throw for a log that the Engine does not send: a 409 that names the log driver if
 * that cannot be read, a 404 for a container that is being removed, and any other error as it is.
 */
function unreadable(error: unknown, driver: unknown): unknown {
  const refusal = error instanceof Failure ? error.cause : undefined
  if (!(refusal instanceof EngineRefusal)) return error
  const options = { cause: refusal, detail: refusal.message }
  if (refusal.plain === beingRemoved) return notFound(beingRemoved, options)
  if (refusal.plain !== unreadableLog) return error
  const isName = typeof driver === 'string' && /^[\w./:@-]{1,255}$/.test(driver)
  const named = isName ? ` (${driver})` : ''
  const message = `the log of the container cannot be read: its log driver${named} does not support it`
  return conflict(message, options)
}

/**
 * Returns seconds with nanoseconds as a fraction, the Engine's format, from that or from RFC 3339.
 *
 * @throws 400 for any other format
 */
export function sinceSeconds(since: string, name = 'since'): string {
  if (/^\d+(\.\d{1,9})?$/.test(since)) return since
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(since)
  const milliseconds = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN
  if (Number.isNaN(milliseconds)) {
    throw invalid(
      `${name}: ${JSON.stringify(since)} is neither RFC 3339 nor seconds since the epoch`,
    )
  }
  return `${milliseconds / 1000}.${(match?.[2] ?? '').padEnd(9, '0')}`
}
