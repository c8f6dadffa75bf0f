import type { Engine } from '../ports/engine.ts'
import type { LogLine } from '../records/container.ts'
import type { Subscription } from '../streams/broadcast.ts'
import { isGone } from './exit-code.ts'
import { chunksOf, type LogChunk } from './log-chunk.ts'

/**
 * The maximum number of lines to fetch between the past and the live log; earlier ones are lost.
 */
const tailMax = 1000

/** Where the past of a log ends and its live part begins. */
export interface SplicePoint {
  engine: Engine
  id: string
  /** The time of the last past line; empty if there is none. */
  last: string
  /** Nothing can have been written between the two. */
  isCertain: boolean
}

/** Returns past chunks, lines written since then, and the live log: each line once, in order. */
export const splice = (
  past: readonly LogChunk[],
  live: Subscription<LogChunk>,
  point: SplicePoint,
): Subscription<LogChunk> => new SplicedLog(past, live, point)

/**
 * A class rather than a generator, because thousands of these wait for the next chunk and each must
 * be able to end at once.
 */
class SplicedLog implements Subscription<LogChunk> {
  #past: LogChunk[] | undefined
  #point: SplicePoint | undefined
  readonly #live: Subscription<LogChunk>

  constructor(past: readonly LogChunk[], live: Subscription<LogChunk>, point: SplicePoint) {
    this.#past = past.length > 0 ? [...past] : undefined
    this.#live = live
    this.#point = point
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next(): Promise<IteratorResult<LogChunk>> {
    const value = this.#past?.shift()
    if (value) return Promise.resolve({ value, done: false })
    this.#past = undefined
    const next = this.#live.next()
    return this.#point ? next.then((result) => this.#fillGap(result)) : next
  }

  return(): Promise<IteratorResult<LogChunk>> {
    this.#past = undefined
    return this.#live.return()
  }

  async #fillGap(result: IteratorResult<LogChunk>): Promise<IteratorResult<LogChunk>> {
    const point = this.#point
    if (result.done || !point) return result
    const chunk = result.value
    const first = chunk.lines[0]?.time ?? ''
    const between = await linesBetween(point, first)
    point.isCertain = true
    const later = chunk.after(point.last)
    // Past the splice point there is nothing left to compare.
    if (later && !later.isEnd) this.#point = undefined
    if (later) between.push(later)
    this.#past = between
    return this.next()
  }
}

/**
 * Returns the lines after the past and before the first live line; none if the container was
 * removed meanwhile.
 */
async function linesBetween({ engine, id, last, isCertain }: SplicePoint, first: string) {
  if (isCertain || last === '' || first <= last) return []
  const missed = await engine.logs(id, { tail: tailMax, since: last }).catch(noneIfGone)
  return chunksOf(missed.filter(({ time }) => time > last && time < first))
}

function noneIfGone(error: unknown): LogLine[] {
  if (isGone(error)) return []
  throw error
}
