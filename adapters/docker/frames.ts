/** One frame of an Engine's multiplexed output. */
export interface Frame {
  stream: 'stdout' | 'stderr'
  data: Buffer
}

const headerLength = 8

/**
 * Splits multiplexed output into its frames, however the bytes were cut on the way. A loop, and no copy per frame: any
 * container can print a flood of one-byte frames.
 */
export async function* frames(chunks: AsyncIterable<Buffer>): AsyncIterable<Frame> {
  let rest: Buffer[] = []
  let have = 0
  let need = headerLength
  for await (const chunk of chunks) {
    rest.push(chunk)
    have += chunk.length
    if (have < need) continue
    const buffer = rest.length === 1 ? chunk : Buffer.concat(rest)
    let offset = 0
    need = headerLength
    while (buffer.length - offset >= headerLength) {
      const length = buffer.readUInt32BE(offset + 4)
      need = headerLength + length
      if (buffer.length - offset < need) break
      const start = offset + headerLength
      const stream = buffer[offset] === 2 ? 'stderr' : 'stdout'
      yield { stream, data: buffer.subarray(start, start + length) }
      offset += need
      need = headerLength
    }
    rest = [buffer.subarray(offset)]
    have = buffer.length - offset
  }
}
