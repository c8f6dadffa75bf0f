import type { Engine } from '../engine/engine.ts'
import type { Following } from './broadcast.ts'
import { type LogPiece, piecesOf } from './log-piece.ts'

/**
 * The maximum number of lines to fetch between the past and the live log; earlier ones are lost.
 */
const tailMax = 1000

/** Where the past of a log ends and its live part begins. */
export interface Seam {
  engine: Engine
  id: string
  /** The time of the last past line; empty if there is none. */
  last: string
  /** Nothing can have been written between the two. */
  isCertain: boolean
}

/** Returns past pieces, lines written since then, and the live log: each line once, in order. */
export const sewn = (
  past: LogPiece[],
  live: Following<LogPiece>,
  seam: Seam,
): Following<LogPiece> => new SewnLog(past, live, seam)

/**
 * A class rather than a generator, because thousands of these wait for the next piece and each must
 * be able to end at once.
 */
class SewnLog implements Following<LogPiece> {
  #past: LogPiece[] | undefined
  #seam: Seam | undefined
  readonly #live: Following<LogPiece>

  constructor(past: LogPiece[], live: Following<LogPiece>, seam: Seam) {
    this.#past = past.length > 0 ? past : undefined
    this.#live = live
    this.#seam = seam
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next(): Promise<IteratorResult<LogPiece>> {
    const value = this.#past?.shift()
    if (value) return Promise.resolve({ value, done: false })
    this.#past = undefined
    const next = this.#live.next()
    return this.#seam ? next.then((result) => this.#sew(result)) : next
  }

  return(): Promise<IteratorResult<LogPiece>> {
    this.#past = undefined
    return this.#live.return()
  }

  async #sew(result: IteratorResult<LogPiece>): Promise<IteratorResult<LogPiece>> {
    const seam = this.#seam
    if (result.done || !seam) return result
    const piece = result.value
    const first = piece.lines[0]?.time ?? ''
    const between = await linesBetween(seam, first)
    seam.isCertain = true
    const later = piece.after(seam.last)
    // Past the splice point there is nothing left to compare.
    if (later && !later.isEnd) this.#seam = undefined
    if (later) between.push(later)
    this.#past = between
    return this.next()
  }
}

/** Returns the lines after the past and before the first live line. */
async function linesBetween({ engine, id, last, isCertain }: Seam, first: string) {
  if (isCertain || last === '' || first <= last) return []
  const missed = await engine.logs(id, { tail: tailMax, since: last })
  return piecesOf(missed.filter(({ time }) => time > last && time < first))
}
