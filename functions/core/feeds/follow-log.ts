import type { Engine, LogLine } from '../engine/engine.ts'
import type { Needs } from '../ports.ts'
import type { Clock } from '../runtime.ts'
import type { Broadcast, Following } from './broadcast.ts'
import { exitCodeOf } from './exit-code.ts'
import { endPiece, type LogPiece, pieceMax, piecesOf, weightOf } from './log-piece.ts'
import type { Source } from './ports.ts'
import { type Seam, sewn } from './sewn-log.ts'

/** While many lines arrive, those of this many milliseconds share a message. */
const pause = 10
/** The number of messages that may be sent without delay after a quiet period. */
const burst = 10
/**
 * For this many seconds after `since` each line has its own message, so that a client that
 * reconnects can find the lines that it already has.
 */
const apartFor = 10

/** A request for a container's log. `key` identifies the container across all hosts. */
export interface LogWish {
  engine: Engine
  id: string
  key: string
  tail: number | 'all'
  /** Only lines after this instant: RFC 3339 or seconds since the epoch. */
  since?: string
  follow: boolean
}

/**
 * Returns the log of a container: past lines, then new lines, then the end. Requests that follow
 * the log with a number of past lines share one stream of the Engine; requests for a whole log and
 * those that do not follow have their own. It ends with the log or when its `return` is called.
 */
export async function followLog(
  wish: LogWish,
  ports: Needs<'streams' | 'clock'>,
): Promise<Following<LogPiece>> {
  const { tail, follow, since } = wish
  if (!follow || tail === 'all') {
    return ports.streams.follow(undefined, logSource(wish, ports.clock))
  }
  const { past, live, seam } = await join({ ...wish, tail }, ports)
  return sewn(piecesOf(past, windowOf(since).apart), live, seam)
}

/**
 * A log split where a follower joined it: each line is in exactly one of the two parts, in order.
 */
export interface JoinedLog {
  past: LogLine[]
  live: AsyncIterable<LogPiece>
}

/** Returns the past lines, and the shared live log from where they end until the signal aborts. */
export async function joinLog(
  wish: LogWish & { tail: number },
  ports: Needs<'streams' | 'clock'>,
  signal: AbortSignal,
): Promise<JoinedLog> {
  const { past, live, seam } = await join(wish, ports, signal)
  return { past, live: sewn([], live, seam) }
}

/**
 * Returns the past pieces, the live log, and where they meet. The live log begins with the last
 * line written before it was opened. If that line is later than the end of the past that was read,
 * lines were written in between, and the reader has to fetch them.
 */
async function join(
  wish: LogWish & { tail: number },
  ports: Needs<'streams' | 'clock'>,
  signal?: AbortSignal,
) {
  const { engine, id, key, tail, since } = wish
  const isCertain = ports.streams.begun(key)
  const source = logSource({ ...wish, tail: 1, since: undefined }, ports.clock)
  const live = ports.streams.follow(key, source, signal)
  try {
    const read = await engine.logs(id, { tail: Math.max(tail, 1), since })
    const last = read.at(-1)?.time ?? stampOf(since)
    const past = tail === 0 ? [] : read.filter(windowOf(since).isLater)
    const seam: Seam = { engine, id, last, isCertain }
    return { past, live, seam }
  } catch (error) {
    await live.return()
    throw error
  }
}

/**
 * Returns a source that publishes a container's log, several lines per message if many arrive, and
 * finally the exit code if the log is followed.
 */
function logSource(wish: LogWish, clock: Clock): Source<LogPiece> {
  return async (out, signal) => {
    const { engine, id, tail, since, follow } = wish
    const wanted = windowOf(since)
    const lines = engine.followLogs(id, { tail, since, follow }, signal)
    const gathered = gather(out, clock, wanted.apart)
    for await (const some of lines) {
      gathered.add(since === undefined ? some : some.filter(wanted.isLater))
      await out.ready()
    }
    gathered.flush()
    if (follow) out.publish(endPiece(await exitCodeOf(engine, id)))
  }
}

/**
 * Returns a buffer of lines for a broadcast. It sends them at once while there are few, otherwise
 * every 10 ms or 64 KiB.
 */
function gather(out: Broadcast<LogPiece>, clock: Clock, apart: (line: LogLine) => boolean) {
  let waiting: LogLine[] = []
  let weight = 0
  let isTimed = false
  // The allowance grows by one message per `pause`, so lines that arrive more slowly are never
  // delayed.
  let allowance = burst
  let countedAt = clock.now()
  const flush = () => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    weight = 0
    allowance = Math.max(0, allowance - 1)
    for (const piece of piecesOf(lines, apart)) out.publish(piece)
  }
  return {
    flush,
    add(lines: readonly LogLine[]): void {
      for (const line of lines) {
        waiting.push(line)
        weight += weightOf(line)
      }
      const now = clock.now()
      allowance = Math.min(burst, allowance + (now - countedAt) / pause)
      countedAt = now
      if (weight >= pieceMax || allowance >= 1) flush()
      if (waiting.length === 0 || isTimed) return
      isTimed = true
      void clock.sleep(pause).then(() => {
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
function windowOf(since: string | undefined) {
  if (since === undefined) return { isLater: () => true, apart: () => false }
  const start = nanoseconds(since)
  const until = start + BigInt(apartFor) * 1_000_000_000n
  return {
    isLater: ({ time }: LogLine) => nanoseconds(time) > start,
    apart: ({ time }: LogLine) => nanoseconds(time) <= until,
  }
}

/** Returns an instant in the format in which the Engine stamps lines; empty without an instant. */
function stampOf(since: string | undefined): string {
  if (since === undefined) return ''
  const instant = nanoseconds(since)
  const seconds = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`
}

/** Parses RFC 3339 or seconds into nanoseconds since the epoch. */
function nanoseconds(time: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? ''
  const whole = /^\d+(\.\d+)?$/.test(time)
    ? BigInt(time.split('.')[0]!)
    : BigInt(Math.floor(Date.parse(time) / 1000))
  return whole * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}
