/** An item of a broadcast; `size` is its size in bytes. */
export interface BroadcastItem {
  readonly size: number
}

/** A follower fell too far behind the others, and the pieces that it missed are dropped. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** The source pauses while every follower is further behind than this. Bytes. */
const restAt = 64 * 1024
/**
 * A follower further behind than this is cut off. The distance is checked every `lookEvery` bytes,
 * so that no follower gets more than 1 MiB behind.
 */
const lagMax = 896 * 1024
const lookEvery = 128 * 1024

interface Link<T> {
  piece: T | undefined
  next: Link<T> | undefined
  /** The total of bytes up to the end of this piece. */
  until: number
}

/**
 * Sends pieces from one source to any number of followers. Pieces form one linked list in which
 * each follower has its own position, so a backlog is stored once however many followers are
 * behind.
 *
 * The source pauses while all followers are behind. A follower that stays behind while others
 * advance is cut off with `TooSlow`.
 */
export class Broadcast<T extends BroadcastItem> {
  #last: Link<T> = { piece: undefined, next: undefined, until: 0 }
  readonly #followers = new Set<Subscriber<T>>()
  readonly #deserted: () => void
  #over: { error: unknown } | undefined
  #lookAt = lookEvery
  #rest: { over: Promise<void>; end(): void } | undefined
  readonly #ties: Ties<T> = {
    over: () => this.#over,
    moved: () => {
      if (this.#rest && this.#hasRoom()) this.#goOn()
      this.#cutOff()
    },
    left: (follower) => {
      this.#followers.delete(follower)
      if (this.#followers.size > 0) return this.#ties.moved()
      this.#deserted()
      // Wake a paused source, so that it notices the end.
      this.#goOn()
    },
  }

  /** @param deserted called when the last follower has left */
  constructor(deserted: () => void) {
    this.#deserted = deserted
  }

  /** Returns whether anything was published. */
  get hasStarted(): boolean {
    return this.#last.until > 0
  }

  publish(piece: T): void {
    const link = { piece, next: undefined, until: this.#last.until + piece.size }
    this.#last.next = link
    this.#last = link
    for (const follower of this.#followers) follower.wake()
    this.#cutOff()
  }

  /** Ends the broadcast. Each follower gets its remaining pieces, then `error` if there is one. */
  end(error?: unknown): void {
    this.#over ??= { error }
    for (const follower of this.#followers) follower.wake()
    this.#goOn()
  }

  /**
   * Returns a promise that resolves when a follower has room, or undefined if one has room already.
   * Sources wait for it before they publish more; several sources may.
   */
  ready(): Promise<void> | undefined {
    if (this.#over || this.#followers.size === 0 || this.#hasRoom()) return undefined
    if (!this.#rest) {
      let end = () => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      this.#rest = { over, end }
    }
    return this.#rest.over
  }

  #goOn(): void {
    this.#rest?.end()
    this.#rest = undefined
  }

  /**
   * Returns an iterator over all pieces published from now on. It ends with the broadcast, when the
   * signal aborts, or when its `return` is called.
   */
  subscribe(signal?: AbortSignal): Subscription<T> {
    const follower = new Subscriber<T>(this.#last, signal, this.#ties)
    this.#followers.add(follower)
    if (signal?.aborted) void follower.return()
    else signal?.addEventListener('abort', follower, { once: true })
    return follower
  }

  #hasRoom(): boolean {
    for (const { until } of this.#followers) if (this.#last.until - until <= restAt) return true
    return false
  }

  /**
   * Cuts off followers that are too far behind. Called after each publish and each advance of a
   * follower, because right after a burst all of them are behind.
   */
  #cutOff(): void {
    const position = this.#last.until
    if (position < this.#lookAt || !this.#hasRoom()) return
    this.#lookAt = position + lookEvery
    for (const follower of this.#followers) {
      if (position - follower.until > lagMax) follower.cutOff()
    }
  }
}

/** An iterator whose `return` ends it at once, even while a `next` is pending. */
export interface Subscription<T> extends AsyncIterableIterator<T> {
  return(): Promise<IteratorResult<T>>
}

interface Ties<T extends BroadcastItem> {
  over(): { error: unknown } | undefined
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
  readonly #ties: Ties<T>
  #waiting: Waiting<T> | undefined
  #tooSlow = false

  constructor(at: Link<T>, signal: AbortSignal | undefined, ties: Ties<T>) {
    this.#at = at
    this.#signal = signal
    this.#ties = ties
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
      waiting.resolve({ value: at.next.piece as T, done: false })
      this.#ties.moved()
      return
    }
    const over = at ? this.#ties.over() : { error: this.#tooSlow ? new TooSlow() : undefined }
    if (!over) return
    this.#waiting = undefined
    this.#tooSlow = false
    this.#leave()
    if (over.error === undefined) waiting.resolve({ value: undefined, done: true })
    else waiting.reject(over.error)
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
    this.#ties.left(this)
  }
}
