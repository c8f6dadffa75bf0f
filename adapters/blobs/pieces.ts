import type { Bytes } from '../../functions/core/ports/backup-targets.ts'

/** A pool of buffers of one size. Reusing buffers leaves less garbage than allocating new ones. */
export class BufferPool {
  readonly size: number
  readonly #free: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /**
   * Returns a buffer, or part of one, to the pool. The caller must not use it afterwards. A buffer
   * of another size is ignored.
   */
  release({ buffer }: Buffer): void {
    if (buffer.byteLength === this.size) this.#free.push(Buffer.from(buffer))
  }
}

/**
 * Yields a byte stream in pieces of the size of `buffers`; the last one may be shorter. The caller
 * owns the pieces and may return them to the pool.
 */
export async function* pieces(
  source: Bytes,
  buffers: BufferPool,
): AsyncGenerator<Buffer, void, void> {
  const { size } = buffers
  let piece: Buffer | undefined
  let used = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      piece ??= buffers.take()
      const taken = Math.min(size - used, chunk.length - at)
      piece.set(chunk.subarray(at, at + taken), used)
      at += taken
      used += taken
      if (used === size) {
        yield piece
        piece = undefined
        used = 0
      }
    }
  }
  if (piece) yield piece.subarray(0, used)
}

/** Yields each value with a flag that is true only for the last one. */
export async function* withLast<T>(
  source: AsyncIterable<T>,
): AsyncGenerator<{ one: T; last: boolean }, void, void> {
  let held: { one: T } | undefined
  for await (const one of source) {
    if (held) yield { one: held.one, last: false }
    held = { one }
  }
  if (held) yield { one: held.one, last: true }
}

/** Reads a byte stream in lengths that the caller chooses. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns `length` bytes, or fewer at the end of the stream. */
  async read(length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    return buffer.subarray(0, await this.readInto(buffer, 0, length))
  }

  /**
   * Reads `length` bytes into a buffer, or fewer at the end of the stream. Returns how many it
   * read.
   */
  async readInto(buffer: Buffer, at: number, length: number): Promise<number> {
    let read = 0
    while (read < length && (await this.#fill())) {
      const part = this.#take(Math.min(length - read, this.#held.length))
      buffer.set(part, at + read)
      read += part.length
    }
    return read
  }

  /** Yields the remaining bytes in chunks as they arrive. */
  async *rest(): AsyncGenerator<Uint8Array, void, void> {
    try {
      while (await this.#fill()) yield this.#take(this.#held.length)
    } finally {
      await this.close()
    }
  }

  /** Stops reading and closes the source. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #take(length: number): Buffer {
    const taken = Buffer.from(this.#held.buffer, this.#held.byteOffset, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) return false
      this.#held = value
    }
    return true
  }
}
