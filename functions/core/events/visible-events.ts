import type { EncodedEvent } from '../ports/service-events.ts'
import type { BroadcastItem, Subscription } from '../streams/broadcast.ts'
import type { Encoded } from '../streams/message.ts'
import type { Viewer } from './viewer.ts'

type Message = BroadcastItem & Encoded

export interface VisibleOptions {
  past: readonly EncodedEvent[]
  /** What to say after the past events. */
  end: Message | undefined
  live: Subscription<EncodedEvent>
  viewer: Viewer
  /** Whether heartbeats are returned too. */
  beats: boolean
}

/**
 * Returns past and then live events that the viewer may see. An event that was returned as past is
 * not repeated as live.
 */
export const visibleEvents = (options: VisibleOptions): Subscription<Message> =>
  new VisibleEvents(options)

/**
 * A class instead of a generator: `return` must take effect at once, even while `next` is waiting.
 */
class VisibleEvents implements Subscription<Message> {
  #past: EncodedEvent[]
  #end: Message | undefined
  readonly #told: Set<string> | undefined
  readonly #live: Subscription<EncodedEvent>
  readonly #viewer: Viewer
  readonly #beats: boolean

  constructor({ past, end, live, viewer, beats }: VisibleOptions) {
    this.#past = [...past]
    this.#end = end
    if (past.length > 0) this.#told = new Set(past.flatMap(({ id }) => (id === '' ? [] : id)))
    this.#live = live
    this.#viewer = viewer
    this.#beats = beats
  }

  [Symbol.asyncIterator]() {
    return this
  }

  async next(): Promise<IteratorResult<Message>> {
    for (;;) {
      const value = this.#past.shift()
      if (value) {
        const past = await this.#viewer.view(value)
        if (past) return { value: past, done: false }
        continue
      }
      const end = this.#end
      this.#end = undefined
      if (end) return { value: end, done: false }
      const next = await this.#live.next()
      if (next.done) return next
      if (next.value.isHeartbeat) {
        if (this.#beats) return next
        continue
      }
      if (this.#told?.delete(next.value.id)) continue
      const shown = await this.#viewer.view(next.value)
      if (shown) return { value: shown, done: false }
    }
  }

  return(): Promise<IteratorResult<Message>> {
    this.#past = []
    this.#end = undefined
    return this.#live.return()
  }
}
