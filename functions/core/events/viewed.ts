import type { Following } from '../feeds/broadcast.ts'
import type { EventPiece } from './happening.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns past and then live events that the viewer may see. An event that was returned as past is
 * not repeated as live.
 */
export const viewed = (
  past: readonly EventPiece[],
  live: Following<EventPiece>,
  viewer: Viewer,
): Following<EventPiece> => new ViewedEvents(past, live, viewer)

/**
 * A class instead of a generator: `return` must take effect at once, even while `next` is waiting.
 */
class ViewedEvents implements Following<EventPiece> {
  #past: EventPiece[] | undefined
  #told: Set<string> | undefined
  readonly #live: Following<EventPiece>
  readonly #viewer: Viewer

  constructor(past: readonly EventPiece[], live: Following<EventPiece>, viewer: Viewer) {
    if (past.length > 0) {
      this.#past = [...past]
      this.#told = new Set(past.flatMap(({ id }) => (id === '' ? [] : id)))
    }
    this.#live = live
    this.#viewer = viewer
  }

  [Symbol.asyncIterator]() {
    return this
  }

  async next(): Promise<IteratorResult<EventPiece>> {
    for (;;) {
      const value = this.#past?.shift()
      if (value) {
        if (await this.#viewer.mayKnow(value)) return { value, done: false }
        continue
      }
      this.#past = undefined
      const next = await this.#live.next()
      if (next.done) return next
      if (this.#told?.delete(next.value.id)) continue
      if (await this.#viewer.mayKnow(next.value)) return next
    }
  }

  return(): Promise<IteratorResult<EventPiece>> {
    this.#past = undefined
    return this.#live.return()
  }
}
