/** An item of a broadcast; `size` is its size in bytes. */
export interface BroadcastItem {
  readonly size: number
}

/** A follower fell too far behind the others, and the items that it missed are dropped. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** The source pauses while every follower is further behind than this. Bytes. */
const pauseAt = 64 * 1024
/**
 * A follower further behind than this is cut off. The distance is checked every `checkEvery` bytes,
 * so that no follower gets more than 1 MiB behind.
 */
const lagMax = 896 * 1024
const checkEvery = 128 * 1024

interface Link<T> {
  item: T | undefined
  next: Link<T> | undefined
  /** The total of bytes up to the end of this item. */
  until: number
}

/**
 * Sends items from one source to any number of followers. Items form one linked list in which
 * each follower has its own position, so a backlog is stored once however many followers are
 * behind.
 *
 * The source pauses while all followers are behind. A follower that stays behind while others
 * advance is cut off with `TooSlow`.
 */
export class Broadcast<T extends BroadcastItem> {
  #last: Link<T> = { item: undefined, next: undefined, until: 0 }
  readonly #followers = new Set<Subscriber<T>>()
  readonly #onEmpty: () => void
  #ended: { error: unknown } | undefined
  #checkAt = checkEvery
  #pause: { over: Promise<void>; end(): void } | undefined
  readonly #parent: Parent<T> = {
    ended: () => this.#ended,
    moved: () => {
      if (this.#pause && this.#hasRoom()) this.#resume()
      this.#cutOff()
    },
    left: (follower) => {
      this.#followers.delete(follower)
      if (this.#followers.size > 0) return this.#parent.moved()
      this.#onEmpty()
      // Wake a paused source, so that it notices the end.
      this.#resume()
    },
  }

  /** @param onEmpty called when the last follower has left */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** Returns whether anything was published. */
  get hasStarted(): boolean {
    return this.#last.until > 0
  }

  publish(item: T): void {
    const link = { item, next: undefined, until: this.#last.until + item.size }
    this.#last.next = link
    this.#last = link
    for (const follower of this.#followers) follower.wake()
    this.#cutOff()
  }

  /** Ends the broadcast. Each follower gets its remaining items, then `error` if there is one. */
  end(error?: unknown): void {
    this.#ended ??= { error }
    for (const follower of this.#followers) follower.wake()
    this.#resume()
  }

  /**
   * Returns a promise that resolves when a follower has room, or undefined if one has room already.
   * Sources wait for it before they publish more; several sources may.
   */
  ready(): Promise<void> | undefined {
    if (this.#ended || this.#followers.size === 0 || this.#hasRoom()) return undefined
    if (!this.#pause) {
      let end = () => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      this.#pause = { over, end }
    }
    return this.#pause.over
  }

  #resume(): void {
    this.#pause?.end()
    this.#pause = undefined
  }

  /**
   * Returns an iterator over all items published from now on. It ends with the broadcast, when the
   * signal aborts, or when its `return` is called.
   */
  subscribe(signal?: AbortSignal): Subscription<T> {
    const follower = new Subscriber<T>(this.#last, signal, this.#parent)
    this.#followers.add(follower)
    if (signal?.aborted) void follower.return()
    else signal?.addEventListener('abort', follower, { once: true })
    return follower
  }

  #hasRoom(): boolean {
    for (const { until } of this.#followers) if (this.#last.until - until <= pauseAt) return true
    return false
  }

  /**
   * Cuts off followers that are too far behind. Called after each publish and each advance of a
   * follower, because right after a burst all of them are behind.
   */
  #cutOff(): void {
    const position = this.#last.until
    if (position < this.#checkAt || !this.#hasRoom()) return
    this.#checkAt = position + checkEvery
    for (const follower of this.#followers) {
      if (position - follower.until > lagMax) follower.cutOff()
    }
  }
}

/** An iterator whose `return` ends it at once, even while a `next` is pending. */
export interface Subscription<T> extends AsyncIterableIterator<T> {
  return(): Promise<IteratorResult<T>>
}

/** What a follower needs of its broadcast. */
interface Parent<T extends BroadcastItem> {
  ended(): { error: unknown } | undefined
  moved(): void
  left(follower: Subscriber<T>): void
}

interface Waiting<T> {
  resolve(result: IteratorResult<T>): void
  reject(error: unknown): void
}

/**
 * An iterator with its own position in the list. There are thousands of these, mostly idle, so it
 * is kept small.
 */
class Subscriber<T extends BroadcastItem> implements Subscription<T> {
  #at: Link<T> | undefined
  readonly #signal: AbortSignal | undefined
  readonly #parent: Parent<T>
  #waiting: Waiting<T> | undefined
  #tooSlow = false

  constructor(at: Link<T>, signal: AbortSignal | undefined, parent: Parent<T>) {
    this.#at = at
    this.#signal = signal
    this.#parent = parent
  }

  get until(): number {
    return this.#at?.until ?? Number.POSITIVE_INFINITY
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.wake()
    })
  }

  /** Resolves the pending `next`, if there is something for it. */
  wake(): void {
    const waiting = this.#waiting
    if (!waiting) return
    const at = this.#at
    if (at?.next) {
      this.#at = at.next
      this.#waiting = undefined
      waiting.resolve({ value: at.next.item as T, done: false })
      this.#parent.moved()
      return
    }
    const ended = at ? this.#parent.ended() : { error: this.#tooSlow ? new TooSlow() : undefined }
    if (!ended) return
    this.#waiting = undefined
    this.#tooSlow = false
    this.#leave()
    if (ended.error === undefined) waiting.resolve({ value: undefined, done: true })
    else waiting.reject(ended.error)
  }

  cutOff(): void {
    this.#tooSlow = true
    this.#leave()
    this.wake()
  }

  async return(): Promise<IteratorResult<T>> {
    this.#leave()
    this.wake()
    return { value: undefined, done: true }
  }

  /** Handles the abort of the signal. */
  handleEvent(): void {
    void this.return()
  }

  #leave(): void {
    if (!this.#at) return
    this.#at = undefined
    this.#signal?.removeEventListener('abort', this)
    this.#parent.left(this)
  }
}
