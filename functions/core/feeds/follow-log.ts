import type { Engine, LogLine } from '../engine/engine.ts'
import type { Needs } from '../ports.ts'
import type { Clock } from '../runtime.ts'
import type { Broadcast, Following } from './broadcast.ts'
import { exitCodeOf } from './exit-code.ts'
import { endPiece, type LogPiece, pieceMax, piecesOf, weightOf } from './log-piece.ts'
import type { Source } from './ports.ts'
import { type Seam, sewn } from './sewn-log.ts'

/** In a flood, lines of so many milliseconds share a message. */
const pause = 10
/** Messages that may go out at once, without waiting for more, when there was none for a while. */
const burst = 10
/** Seconds after `since` in which each line has a message of its own, so that who comes back finds out which he has. */
const apartFor = 10

/** A container's log as somebody asks for it. `key` names the container over all hosts. */
export interface LogWish {
  engine: Engine
  id: string
  key: string
  tail: number | 'all'
  /** Lines after this instant: RFC 3339 or seconds since the epoch. */
  since?: string
  follow: boolean
}

/**
 * The log of a container: past lines, then what comes, then its end. Who asks for a number of last lines shares one stream of
 * the Engine with all others who do; whole logs, and those that are not followed, are streams of their own. It is followed
 * until its end or its return.
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

/** A log at the moment when somebody joined it: each line is in one of the two, in order. */
export interface JoinedLog {
  past: LogLine[]
  live: AsyncIterable<LogPiece>
}

/** Past lines, and the live log of all from where they end, until the signal's end. */
export async function joinLog(
  wish: LogWish & { tail: number },
  ports: Needs<'streams' | 'clock'>,
  signal: AbortSignal,
): Promise<JoinedLog> {
  const { past, live, seam } = await join(wish, ports, signal)
  return { past, live: sewn([], live, seam) }
}

/**
 * Past lines, the live log, and where they meet. The live log's first line is the last one before it began: where that is
 * later than the past that was read, something was written in between, and is read.
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

/** Brings a container's log, lines of a few milliseconds together, and at its end how the container ended. */
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

/** Lines on their way to a broadcast: at once while they are few, else every ten milliseconds or 64 KiB. */
function gather(out: Broadcast<LogPiece>, clock: Clock, apart: (line: LogLine) => boolean) {
  let waiting: LogLine[] = []
  let weight = 0
  let isTimed = false
  // One more message for each pause that has passed: what comes now and then, however regularly, never waits.
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

/** The Engine counts the instant itself in, to the nanosecond: who has that line does not want it again. */
function windowOf(since: string | undefined) {
  if (since === undefined) return { isLater: () => true, apart: () => false }
  const start = nanoseconds(since)
  const until = start + BigInt(apartFor) * 1_000_000_000n
  return {
    isLater: ({ time }: LogLine) => nanoseconds(time) > start,
    apart: ({ time }: LogLine) => nanoseconds(time) <= until,
  }
}

/** An instant as the Engine stamps lines. */
function stampOf(since: string | undefined): string {
  if (since === undefined) return ''
  const instant = nanoseconds(since)
  const seconds = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`
}

/** An instant as nanoseconds since the epoch, from RFC 3339 or seconds. */
function nanoseconds(time: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? ''
  const whole = /^\d+(\.\d+)?$/.test(time)
    ? BigInt(time.split('.')[0]!)
    : BigInt(Math.floor(Date.parse(time) / 1000))
  return whole * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}
