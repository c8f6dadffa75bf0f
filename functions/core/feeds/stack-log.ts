import { readableContainers } from '../owners/container-owner.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { ContainerSummary, LogLine } from '../records/container.ts'
import type { StackRecord } from '../records/stack.ts'
import { isAmong } from '../stacks/logs.ts'
import {
  type LogOutcomes,
  readLog,
  readLogs,
  requireReadable,
  type UnreadableLog,
} from '../stacks/read-logs.ts'
import { merge } from '../streams/merge.ts'
import { EncodedText } from '../streams/message.ts'
import { isGone } from './exit-code.ts'
import { type SplitLog, splitLog, wholePast } from './follow-log.ts'
import { endChunk, LogChunk, lineSize, type Origin } from './log-chunk.ts'

/**
 * The time between two checks for new containers of a stack (milliseconds), and the number of those
 * between two checks of the stack itself.
 */
const pollInterval = 500
const pollsPerStackCheck = 10
/**
 * The number of past lines to read of a container that appears later: practically its whole log.
 * They are read at once and shared, so that a deploy does not open a stream for each follower.
 */
const laterTail = 10_000

/** A request for the merged log of a stack. */
export interface StackLogRequest {
  engine: Engine
  hostId: string
  caller: Caller
  stack: Pick<StackRecord, 'id' | 'services'>
  /** Only these services; without it all. */
  service?: readonly string[]
  tail: number | 'all'
  since?: string
  follow: boolean
  /** Messages have the time of each of their lines. */
  times: boolean
}

type LogPorts = Needs<'streams' | 'clock' | 'stacks' | 'callerLimiter'>

/**
 * Returns past lines of all containers of a stack ordered by time, then new lines. Containers that
 * appear later, such as those that a deploy recreates, are followed too. A message says of each log
 * that cannot be read why. Ends when the stack is deleted.
 *
 * @throws 409 if no log can be read because of the log drivers of the containers, 500 if the
 *   account reads too many whole logs
 */
export async function openStackLog(
  request: StackLogRequest,
  ports: LogPorts,
  signal: AbortSignal,
): Promise<AsyncGenerator<EncodedText, void, void>> {
  const { stack, service, follow, times } = request
  const own = await containersOf(request)
  const endReading = startReading(own.length, request, ports)
  // Also frees what was opened if the feed never starts.
  const stop = new AbortController()
  const stopped = () => stop.abort()
  signal.addEventListener('abort', stopped, { once: true })
  stop.signal.addEventListener('abort', endReading)
  const end = () => {
    signal.removeEventListener('abort', stopped)
    stop.abort()
  }
  try {
    if (signal.aborted) stop.abort()
    if (!follow) {
      const found = await readLogs(own, (one) => openPastLog(one, request, stop.signal))
      requireReadable(found, stack, service)
      return pastMessages(found, times, end)
    }
    const found = await readLogs(own, (one) => openContainerLog(one, request, ports, stop.signal))
    requireReadable(found, stack, service)
    return stackMessages(request, found, ports, { signal: stop.signal, endReading, end })
  } catch (error) {
    end()
    throw error
  }
}

/** Counts the logs that a request reads at the pace of its client; others are read at once. */
const startReading = (
  logs: number,
  { tail, caller }: StackLogRequest,
  { callerLimiter }: LogPorts,
): (() => void) => (tail === 'all' ? callerLimiter.startReading(caller.account.id, logs) : () => {})

/** Yields the merged past of all containers. Calls `end` when it ends. */
async function* pastMessages(
  found: LogOutcomes<PastLog>,
  times: boolean,
  end: () => void,
): AsyncGenerator<EncodedText, void, void> {
  try {
    yield* mergedPast(found, times)
  } finally {
    end()
  }
}

/** Opens the past of the log of one container. */
async function openPastLog(
  one: ContainerSummary,
  { engine, tail, since }: StackLogRequest,
  signal: AbortSignal,
): Promise<PastLog> {
  const past =
    tail === 'all'
      ? await wholePast({ engine, id: one.id, since }, signal)
      : await engine.logs(one.id, { tail, since })
  return { origin: originOf(one), past }
}

type ContainerLog = SplitLog & { origin: Origin }

/** Opens the log of one container, split where the feed begins. */
async function openContainerLog(
  one: ContainerSummary,
  request: StackLogRequest,
  ports: LogPorts,
  signal: AbortSignal,
): Promise<ContainerLog> {
  const all = { ...request, id: one.id, key: `log ${request.hostId} ${one.id}` }
  return { origin: originOf(one), ...(await splitLog(all, ports, signal)) }
}

/**
 * Yields the merged past of all containers, then their new lines. Calls `endReading` between the
 * two, and `end` when it ends.
 */
async function* stackMessages(
  request: StackLogRequest,
  found: LogOutcomes<ContainerLog>,
  ports: LogPorts,
  { signal, endReading, end }: { signal: AbortSignal; endReading(): void; end(): void },
): AsyncGenerator<EncodedText, void, void> {
  try {
    yield* mergedPast(found, request.times)
    endReading()
    const lives = merge<EncodedText>(signal)
    const follower = followContainers(request, found, lives, ports, signal)
    follower.then(lives.close, end)
    yield* lives
    await follower
  } finally {
    end()
  }
}

/** Adds the lines of its containers to the merged log until the stack is deleted. */
async function followContainers(
  request: StackLogRequest,
  { logs, unreadable }: LogOutcomes<ContainerLog>,
  lives: { add(source: AsyncIterable<EncodedText>): void },
  ports: LogPorts,
  signal: AbortSignal,
): Promise<void> {
  /** Container → the time of its last line; undefined while it is followed, or never readable. */
  const known = new Map<string, string | undefined>()
  const add = (log: ContainerLog) => {
    const { container_id: id } = log.origin
    known.set(id, undefined)
    lives.add(liveMessages(log, request.times, (time) => known.set(id, time)))
  }
  for (const one of logs) add(one)
  for (const { container } of unreadable) known.set(container.id, undefined)
  for (let poll = 1; !signal.aborted; poll += 1) {
    await ports.clock.sleep(pollInterval, signal)
    if (poll % pollsPerStackCheck === 0 && !(await ports.stacks.find(request.stack.id))) return
    for (const one of await containersOf(request)) {
      const last = known.get(one.id)
      const isNew = !known.has(one.id)
      if (!isNew && (last === undefined || one.state !== 'running')) continue
      const more = { tail: laterTail, since: last || undefined }
      const outcome = await readLog(one, () =>
        openContainerLog(one, { ...request, ...more }, ports, signal),
      )
      // It was removed since it was listed.
      if (!outcome) continue
      if ('log' in outcome) add({ ...outcome.log, live: chunksFromStart(outcome.log) })
      else {
        known.set(one.id, undefined)
        lives.add(unreadableLog(outcome.unreadable))
      }
    }
  }
}

async function* unreadableLog(log: UnreadableLog): AsyncGenerator<EncodedText, void, void> {
  yield unreadableMessage(log)
}

/** Returns the message for a log that cannot be read. */
const unreadableMessage = ({ container, error }: UnreadableLog) =>
  new EncodedText(JSON.stringify({ ...originOf(container), error }))

/** Yields the log of a container that appeared later: its past lines, then the live ones. */
async function* chunksFromStart({ past, live }: SplitLog): AsyncGenerator<LogChunk, void, void> {
  for await (const line of past) yield new LogChunk([line], lineSize(line))
  yield* live
}

/** Yields the new messages of a container. `ended` is called with the time of its last line. */
async function* liveMessages(
  { origin, live, last: lastOfPast }: ContainerLog,
  times: boolean,
  ended: (last: string) => void,
) {
  let last = lastOfPast()
  try {
    for await (const chunk of live) {
      last = chunk.lines.at(-1)?.time ?? last
      yield chunk.messageFrom(origin, times)
    }
  } catch (error) {
    if (!isGone(error)) throw error
    yield endChunk(null).messageFrom(origin)
  }
  ended(last)
}

/**
 * Yields why logs cannot be read, then past lines of several containers ordered by time, one
 * message per line.
 */
async function* mergedPast(
  { logs, unreadable }: LogOutcomes<PastLog>,
  times: boolean,
): AsyncGenerator<EncodedText, void, void> {
  for (const log of unreadable) yield unreadableMessage(log)
  for await (const { origin, line } of inOrder(logs)) {
    yield new LogChunk([line], lineSize(line)).messageFrom(origin, times)
  }
}

type PastLog = Pick<ContainerLog, 'origin' | 'past'>

/** Yields the lines of several logs by their time. It reads one line ahead of each log. */
async function* inOrder(logs: readonly PastLog[]) {
  const heads = await Promise.all(
    logs.map(async ({ origin, past }) => {
      const lines = linesOf(past)
      return { origin, lines, next: await lines.next() }
    }),
  )
  for (;;) {
    let earliest: { head: (typeof heads)[number]; line: LogLine } | undefined
    for (const head of heads) {
      if (head.next.done) continue
      const line = head.next.value
      if (!earliest || line.time < earliest.line.time) earliest = { head, line }
    }
    if (!earliest) return
    const { head, line } = earliest
    yield { origin: head.origin, line }
    head.next = await head.lines.next()
  }
}

async function* linesOf(past: PastLog['past']): AsyncGenerator<LogLine, void, void> {
  yield* past
}

const originOf = ({ service, id }: ContainerSummary): Origin => ({
  service: service ?? '',
  container_id: id,
})

async function containersOf({ engine, stack, service, caller }: StackLogRequest) {
  const all = await engine.containers({ all: true })
  const labelled = all.filter((one) => one.stack === stack.id && isAmong(one, service))
  return readableContainers(labelled, 'logs', caller, engine)
}
