import { Failure } from '../../../functions/core/errors.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import type { LogLine } from '../../../functions/core/records/container.ts'
import { onAbort } from '../transport/deadline.ts'
import { type LogBatch, type LogPlace, type LogStart, logPlace } from './log-place.ts'
import { beforeSearchEnds, searchTime, wholeTime } from './log-search.ts'

/** A log that is followed. */
export interface FollowedLog {
  open(start: LogStart, signal: AbortSignal): AsyncIterable<LogBatch>
  /**
   * Returns the stamp of the last message that the container wrote; empty without one. With
   * `since`, it looks through the log from that stamp on rather than from the end; undefined for an
   * Engine that always finds the end.
   */
  lastStamp(signal: AbortSignal, since?: string): Promise<string | undefined>
}

/** Milliseconds. */
export interface WatchTimes {
  /** Silence after which the log is looked at. It doubles while there is nothing new. */
  silence: number
  /** The longest silence. */
  most: number
  /** How long what was found may be on its way. */
  grace: number
  /** How long the Engine may look for the end of the log. */
  search: number
  /** How long the log may be looked through instead. */
  whole: number
}

const usual: WatchTimes = {
  silence: 10_000,
  most: 60_000,
  grace: 2000,
  search: searchTime,
  whole: wholeTime,
}

/**
 * Yields the lines of a log. An Engine stops sending a log when it rotates or empties its file at
 * the wrong moment, and sends lines again after a rotation: a log that is silent while the
 * container writes is opened again at the last line, and no line is yielded twice. A line says so
 * if lines are known to be missing.
 */
export async function* watchedLog(
  log: FollowedLog,
  start: LogStart,
  signal: AbortSignal,
  times = usual,
): AsyncGenerator<LogLine[], void, void> {
  const place: LogPlace = logPlace(() => stampOf(log, place, { signal, times }))
  for (let from = start; ; from = place.resume()) {
    const stop = new AbortController()
    const unfollow = onAbort(signal, () => stop.abort(signal.reason))
    try {
      const isOver = yield* untilSilent(log, from, place, { signal: stop.signal, times })
      if (isOver) return
    } finally {
      unfollow()
      stop.abort(new Error('the log is not read any more'))
    }
  }
}

interface Watch {
  signal: AbortSignal
  times: WatchTimes
}

/** Yields lines. Returns true at the end of the log, and false if it fell silent before. */
async function* untilSilent(
  log: FollowedLog,
  from: LogStart,
  place: LogPlace,
  { signal, times }: Watch,
): AsyncGenerator<LogLine[], boolean, void> {
  const batches = log.open(from, signal)[Symbol.asyncIterator]()
  let next = markHandled(batches.next())
  let silence = times.silence
  for (;;) {
    let result = await within(next, silence)
    if (!result) {
      silence = Math.min(2 * silence, times.most)
      if (!place.isBehind(await stampOf(log, place, { signal, times }))) continue
      result = await within(next, times.grace)
      if (!result) return false
    }
    if (result.done) return true
    silence = times.silence
    const lines = await place.accept(result.value)
    if (lines.length > 0) yield lines
    next = markHandled(batches.next())
  }
}

/** Returns the last stamp, or undefined if it cannot be read: then the log ends, or fails later. */
async function stampOf(
  log: FollowedLog,
  place: LogPlace,
  { signal, times }: Watch,
): Promise<string | undefined> {
  const since = place.latest()
  try {
    const last = await beforeSearchEnds(signal, times.search, (stop) => log.lastStamp(stop))
    if (last !== undefined || since === '') return last
    return await beforeSearchEnds(signal, times.whole, (stop) => log.lastStamp(stop, since))
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return undefined
  }
}

/** Returns what a promise resolves to, or undefined if that takes longer. */
function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
