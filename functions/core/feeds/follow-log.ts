import type { Clock } from '../ports/clock.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Source } from '../ports/streams.ts'
import type { LogLine } from '../records/container.ts'
import type { Broadcast, Subscription } from '../streams/broadcast.ts'
import { withDeadline } from '../time/deadline.ts'
import { nanoseconds } from '../time/nanoseconds.ts'
import { exitCodeOf } from './exit-code.ts'
import { chunkMax, chunksOf, endChunk, type LogChunk, lineSize } from './log-chunk.ts'
import { type SplicePoint, splice } from './spliced-log.ts'

/** While many lines arrive, those of this many milliseconds share a message. */
const batchTime = 10
/** The number of messages that may be sent without delay after a quiet period. */
const burst = 10
/**
 * For this many seconds after `since` each line has a message of its own, so that a client that
 * reconnects can find the lines that it already has.
 */
const separateSeconds = 10

/** Milliseconds to read past lines. Others wait for them. */
const pastDeadline = 60_000

/** A request for a container's log. `key` identifies the container across all hosts. */
export interface LogRequest {
  engine: Engine
  id: string
  key: string
  tail: number | 'all'
  /** Only lines after this instant: RFC 3339 or seconds since the epoch. */
  since?: string
  follow: boolean
}

/**
 * Reads one line of a log, unless others follow it already.
 *
 * @throws 404 if the container was removed, 409 if its log driver does not support reading
 */
export async function requireReadableLog(
  { engine, id, key }: Pick<LogRequest, 'engine' | 'id' | 'key'>,
  { streams }: Needs<'streams'>,
): Promise<void> {
  if (streams.hasStarted(key)) return
  await streams.read(`${key} readable`, () => engine.logs(id, { tail: 1 }))
}

/**
 * Returns the log of a container: past lines, then new lines, then the end. Requests that follow
 * the log with a number of past lines share one stream of the Engine; requests for a whole log and
 * those that do not follow have their own. It ends with the log or when its `return` is called.
 */
export async function followLog(
  request: LogRequest,
  ports: Needs<'streams' | 'clock'>,
): Promise<Subscription<LogChunk>> {
  const { tail, follow } = request
  if (!follow || tail === 'all') {
    return ports.streams.subscribe(undefined, logSource(request, ports.clock))
  }
  const { past, live, point } = await pastAndLive({ ...request, tail }, ports)
  return splice(past.chunks(), live, point)
}

/**
 * A log split where a follower began: each line is in exactly one of the two parts, in order.
 */
export interface SplitLog {
  past: Iterable<LogLine> | AsyncIterable<LogLine>
  live: AsyncIterable<LogChunk>
  /** Returns the time of the last past line that was consumed; empty if there is none. */
  last(): string
}

/**
 * Returns the past lines, and the shared live log from where they end until the signal aborts. The
 * past of a whole log is read as it is consumed.
 */
export async function splitLog(
  { tail, ...request }: LogRequest,
  ports: Needs<'streams' | 'clock'>,
  signal: AbortSignal,
): Promise<SplitLog> {
  if (tail === 'all') return splitWholeLog(request, ports, signal)
  const { past, live, point } = await pastAndLive({ ...request, tail }, ports, signal)
  return { past: past.lines, live: splice([], live, point), last: () => point.last }
}

async function splitWholeLog(
  request: Omit<LogRequest, 'tail'>,
  ports: Needs<'streams' | 'clock'>,
  signal: AbortSignal,
): Promise<SplitLog> {
  const { engine, id, since } = request
  const { live, isCertain } = shareLive(request, ports, signal)
  const point: SplicePoint = { engine, id, last: stampOf(since), isCertain }
  try {
    const past = await wholePast(request, signal, (last) => {
      point.last = last
    })
    return { past, live: splice([], live, point), last: () => point.last }
  } catch (error) {
    await live.return()
    throw error
  }
}

/**
 * Returns all past lines of a log, read as they are consumed. The first of them is there when it
 * resolves, so a log that cannot be read is an error of this call.
 *
 * @param reached called with the time of each line, also of one that is not wanted
 */
export async function wholePast(
  { engine, id, since }: Pick<LogRequest, 'engine' | 'id' | 'since'>,
  signal: AbortSignal,
  reached: (time: string) => void = () => {},
): Promise<AsyncIterable<LogLine>> {
  const options = { tail: 'all', since, follow: false } as const
  const batches = engine.followLogs(id, options, signal)[Symbol.asyncIterator]()
  const first = await batches.next()
  const { isLater } = rangeSince(since)
  async function* lines() {
    for (let next = first; !next.done; next = await batches.next()) {
      for (const line of next.value) {
        reached(line.time)
        if (isLater(line)) yield line
      }
    }
  }
  return lines()
}

/**
 * Returns the past chunks, the live log, and where they meet. The live log begins with the last
 * line written before it was opened. If that line is later than the end of the past that was read,
 * lines were written in between, and the reader has to fetch them.
 */
async function pastAndLive(
  request: LogRequest & { tail: number },
  ports: Needs<'streams' | 'clock'>,
  signal?: AbortSignal,
) {
  const { engine, id, key, tail, since } = request
  const { live, isCertain } = shareLive(request, ports, signal)
  try {
    const past = await ports.streams.read(`${key} ${tail} ${since ?? ''}`, () =>
      withDeadline(pastDeadline, ports.clock, (late) => readPast(request, late)),
    )
    const point: SplicePoint = { engine, id, last: past.last, isCertain }
    return { past, live, point }
  } catch (error) {
    await live.return()
    throw error
  }
}

/**
 * Returns the live log that all followers share. It is certain that nothing was written before it
 * began if it has started already.
 */
function shareLive(
  request: Omit<LogRequest, 'tail'>,
  { streams, clock }: Needs<'streams' | 'clock'>,
  signal?: AbortSignal,
) {
  const isCertain = streams.hasStarted(request.key)
  const source = logSource({ ...request, tail: 1, since: undefined }, clock)
  return { live: streams.subscribe(request.key, source, signal), isCertain }
}

/** Past lines, and the time of the last one even if it is not wanted. */
interface Past {
  last: string
  lines: LogLine[]
  /** Returns the lines as messages, which are encoded once for all who share the past. */
  chunks(): readonly LogChunk[]
}

async function readPast(
  { engine, id, tail, since }: LogRequest & { tail: number },
  late: AbortSignal,
): Promise<Past> {
  const tooLate = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => reject(late.reason))
  })
  const read = await Promise.race([engine.logs(id, { tail: Math.max(tail, 1), since }), tooLate])
  const { isLater, isSeparate } = rangeSince(since)
  const lines = tail === 0 ? [] : read.filter(isLater)
  let chunks: LogChunk[] | undefined
  return {
    last: read.at(-1)?.time ?? stampOf(since),
    lines,
    chunks() {
      chunks ??= chunksOf(lines, isSeparate)
      return chunks
    },
  }
}

/**
 * Returns a source that publishes a container's log, several lines per message if many arrive, and
 * finally the exit code if the log is followed.
 */
function logSource(request: LogRequest, clock: Clock): Source<LogChunk> {
  return async (out, signal) => {
    const { engine, id, tail, since, follow } = request
    const range = rangeSince(since)
    const lines = engine.followLogs(id, { tail, since, follow }, signal)
    const gathered = gather(out, clock, range.isSeparate)
    for await (const some of lines) {
      gathered.add(since === undefined ? some : some.filter(range.isLater))
      await out.ready()
    }
    gathered.flush()
    if (follow) out.publish(endChunk(await exitCodeOf(engine, id)))
  }
}

/**
 * Returns a buffer of lines for a broadcast. It sends them at once while there are few, otherwise
 * every 10 ms or 64 KiB.
 */
function gather(out: Broadcast<LogChunk>, clock: Clock, isSeparate: (line: LogLine) => boolean) {
  let waiting: LogLine[] = []
  let weight = 0
  let isTimed = false
  // The allowance grows by one message per `batchTime`, so lines that arrive more slowly are never
  // delayed.
  let allowance = burst
  let countedAt = clock.now()
  const flush = () => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    weight = 0
    allowance = Math.max(0, allowance - 1)
    for (const chunk of chunksOf(lines, isSeparate)) out.publish(chunk)
  }
  return {
    flush,
    add(lines: readonly LogLine[]): void {
      for (const line of lines) {
        waiting.push(line)
        weight += lineSize(line)
      }
      const now = clock.now()
      allowance = Math.min(burst, allowance + (now - countedAt) / batchTime)
      countedAt = now
      if (weight >= chunkMax || allowance >= 1) flush()
      if (waiting.length === 0 || isTimed) return
      isTimed = true
      void clock.sleep(batchTime).then(() => {
        isTimed = false
        flush()
      })
    },
  }
}

/**
 * Returns the tests for `since`. The Engine includes lines of that very nanosecond, which the
 * client already has.
 */
function rangeSince(since: string | undefined) {
  if (since === undefined) return { isLater: () => true, isSeparate: () => false }
  const start = nanoseconds(since)
  const until = start + BigInt(separateSeconds) * 1_000_000_000n
  return {
    isLater: ({ time }: LogLine) => nanoseconds(time) > start,
    isSeparate: ({ time }: LogLine) => nanoseconds(time) <= until,
  }
}

/** Returns an instant in the format in which the Engine stamps lines; empty without an instant. */
function stampOf(since: string | undefined): string {
  if (since === undefined) return ''
  const instant = nanoseconds(since)
  const seconds = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`
}
