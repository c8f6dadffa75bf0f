import { Transform } from 'node:stream'
import { SourceFailure } from '../../functions/core/ports/source-reader.ts'

/** What one exchange with a server may take. */
export interface ExchangeLimits {
  /** Bytes that are received, as they are on the wire. */
  received: number
  /** Milliseconds until the first byte comes. */
  firstByte: number
  /** Milliseconds in all. */
  total: number
}

/**
 * Counts what comes from a server. `signal` is aborted with a `SourceFailure` as soon as a limit is
 * exceeded, or with the reason of the caller's signal.
 */
export class Meter {
  readonly signal: AbortSignal
  /** Milliseconds in which a server must send something. */
  readonly silence: number
  readonly #stop = new AbortController()
  readonly #limits: ExchangeLimits
  readonly #host: string
  readonly #total: NodeJS.Timeout
  #first: NodeJS.Timeout | undefined
  #received = 0

  constructor(host: string, limits: ExchangeLimits, signal: AbortSignal) {
    this.#host = host
    this.#limits = limits
    this.silence = limits.firstByte
    this.signal = AbortSignal.any([signal, this.#stop.signal])
    this.#total = setTimeout(() => {
      this.#late(`has not sent everything within ${limits.total / 1000} s`)
    }, limits.total)
    this.#first = setTimeout(() => {
      this.#late(`has not answered within ${limits.firstByte / 1000} s`)
    }, limits.firstByte)
  }

  /** Returns a stream that counts what goes through it. */
  counter(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#count(chunk.length)
        if (this.signal.aborted) done(this.signal.reason)
        else done(null, chunk)
      },
    })
  }

  close(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#first)
  }

  #count(bytes: number): void {
    clearTimeout(this.#first)
    this.#received += bytes
    if (this.#received <= this.#limits.received) return
    const most = Math.floor(this.#limits.received / 1024 ** 2)
    this.#stop.abort(
      new SourceFailure(
        'too-large',
        `${this.#host} sends more than ${most} MiB: make the repository smaller, name a branch, or raise stack.max_bytes`,
      ),
    )
  }

  #late(why: string): void {
    this.#stop.abort(new SourceFailure('unreachable', `${this.#host} ${why}`))
  }
}
