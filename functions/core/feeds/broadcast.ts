/** What goes to many; `size` is what it weighs, in bytes. */
export interface Piece {
  readonly size: number
}

/** A follower was more than the limit behind the others: what it missed is gone. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** With all followers this far behind, the source rests. Bytes. */
const restAt = 64 * 1024
/** A follower this far behind loses its place. Looked at so often that nobody gets past a mebibyte. */
const lagMax = 896 * 1024
const lookEvery = 128 * 1024

interface Link<T> {
  piece: T | undefined
  next: Link<T> | undefined
  /** Bytes up to the end of this piece, since the beginning. */
  until: number
}

/**
 * Pieces from one source to any number of followers. They hang on one chain, each follower at its own place, so that what
 * a thousand slow ones are behind is kept once. The source rests while all of them are behind; one that stays behind
 * while others go on is cut off with `TooSlow`.
 */
export class Broadcast<T extends Piece> {
  #last: Link<T> = { piece: undefined, next: undefined, until: 0 }
  readonly #followers = new Set<Follower<T>>()
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
      // A source that rests finds out that it is over.
      this.#goOn()
    },
  }

  /** `deserted` is called when the last follower has gone. */
  constructor(deserted: () => void) {
    this.#deserted = deserted
  }

  /** True once something was published. */
  get begun(): boolean {
    return this.#last.until > 0
  }

  publish(piece: T): void {
    const link = { piece, next: undefined, until: this.#last.until + piece.size }
    this.#last.next = link
    this.#last = link
    for (const follower of this.#followers) follower.wake()
    this.#cutOff()
  }

  /** Nothing more comes; `error` is thrown at each follower after what is left for it. */
  end(error?: unknown): void {
    this.#over ??= { error }
    for (const follower of this.#followers) follower.wake()
    this.#goOn()
  }

  /** Resolves when a follower has room: what the source waits for before it goes on, or each of several that bring to this. */
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

  /** All pieces published from now on, until the end, the signal's when there is one, or the iterator's return. */
  follow(signal?: AbortSignal): Following<T> {
    const follower = new Follower<T>(this.#last, signal, this.#ties)
    this.#followers.add(follower)
    if (signal?.aborted) void follower.return()
    else signal?.addEventListener('abort', follower, { once: true })
    return follower
  }

  #hasRoom(): boolean {
    for (const { until } of this.#followers) if (this.#last.until - until <= restAt) return true
    return false
  }

  /** Looked at when something is published, and when somebody moves: right after a burst all of them are behind. */
  #cutOff(): void {
    const position = this.#last.until
    if (position < this.#lookAt || !this.#hasRoom()) return
    this.#lookAt = position + lookEvery
    for (const follower of this.#followers) {
      if (position - follower.until > lagMax) follower.cutOff()
    }
  }
}

/** Its `return` ends it at once, also while somebody waits for what is next. */
export interface Following<T> extends AsyncIterableIterator<T> {
  return(): Promise<IteratorResult<T>>
}

interface Ties<T extends Piece> {
  over(): { error: unknown } | undefined
  moved(): void
  left(follower: Follower<T>): void
}

interface Waiting<T> {
  resolve(result: IteratorResult<T>): void
  reject(error: unknown): void
}

/** One who follows: an iterator at its own place of the chain. There are many of these, most of them idle: it is kept small. */
class Follower<T extends Piece> implements Following<T> {
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

  /** Hands on what there is to who waits for it. */
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

  /** The signal's end. */
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
