import type { EncodedEvent } from '../ports/service-events.ts'
import type { Subscription } from '../streams/broadcast.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns past and then live events that the viewer may see. An event that was returned as past is
 * not repeated as live.
 */
export const visibleEvents = (
  past: readonly EncodedEvent[],
  live: Subscription<EncodedEvent>,
  viewer: Viewer,
): Subscription<EncodedEvent> => new VisibleEvents(past, live, viewer)

/**
 * A class instead of a generator: `return` must take effect at once, even while `next` is waiting.
 */
class VisibleEvents implements Subscription<EncodedEvent> {
  #past: EncodedEvent[] | undefined
  #told: Set<string> | undefined
  readonly #live: Subscription<EncodedEvent>
  readonly #viewer: Viewer

  constructor(past: readonly EncodedEvent[], live: Subscription<EncodedEvent>, viewer: Viewer) {
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

  async next(): Promise<IteratorResult<EncodedEvent>> {
    for (;;) {
      const value = this.#past?.shift()
      if (value) {
        if (await this.#viewer.maySee(value)) return { value, done: false }
        continue
      }
      this.#past = undefined
      const next = await this.#live.next()
      if (next.done) return next
      if (this.#told?.delete(next.value.id)) continue
      if (await this.#viewer.maySee(next.value)) return next
    }
  }

  return(): Promise<IteratorResult<EncodedEvent>> {
    this.#past = undefined
    return this.#live.return()
  }
}
