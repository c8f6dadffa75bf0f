import { ForeignResponse } from '../responses/errors.ts'

/** One frame of an Engine's multiplexed output. */
export interface Frame {
  stream: 'stdout' | 'stderr'
  data: Buffer
}

const headerLength = 8
/** Bytes. The largest frame; Engines send at most a few tens of kilobytes at once. */
const frameMax = 16 * 1024 * 1024

/** Splits multiplexed output into its frames, whatever the chunk boundaries. */
export async function* frames(chunks: AsyncIterable<Buffer>): AsyncIterable<Frame> {
  const splitter = new FrameSplitter()
  for await (const chunk of chunks) yield* splitter.push(chunk)
}

/**
 * Takes chunks and returns the frames that they complete. It uses a loop and copies no frame,
 * because a container can print a flood of one-byte frames.
 */
export class FrameSplitter {
  #rest: Buffer[] = []
  #have = 0
  #need = headerLength

  push(chunk: Buffer): Frame[] {
    this.#rest.push(chunk)
    this.#have += chunk.length
    if (this.#have < this.#need) return []
    const buffer = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest)
    const found: Frame[] = []
    let offset = 0
    this.#need = headerLength
    while (buffer.length - offset >= headerLength) {
      const length = lengthOf(buffer, offset)
      this.#need = headerLength + length
      if (buffer.length - offset < this.#need) break
      const start = offset + headerLength
      const stream = buffer[offset] === 2 ? 'stderr' : 'stdout'
      found.push({ stream, data: buffer.subarray(start, start + length) })
      offset += this.#need
      this.#need = headerLength
    }
    this.#rest = [buffer.subarray(offset)]
    this.#have = buffer.length - offset
    return found
  }
}

/**
 * Returns the length in a frame's header.
 *
 * @throws ForeignResponse if the header is invalid
 */
function lengthOf(buffer: Buffer, offset: number): number {
  const length = buffer.readUInt32BE(offset + 4)
  // The stream number is 0 to 3 and three zero bytes follow.
  const stream = buffer.readUInt32BE(offset) >>> 24
  const isHeader = stream <= 3 && (buffer.readUInt32BE(offset) & 0xffffff) === 0
  if (isHeader && length <= frameMax) return length
  throw new ForeignResponse('the output is not in frames')
}
