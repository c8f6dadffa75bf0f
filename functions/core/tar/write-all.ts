import type { Extract } from 'tar-stream'

/** Writes all chunks into a stream and ends it. Stops early if the stream is destroyed. */
export async function writeAll(stream: Extract, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let gone = false
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      gone = true
      resolve()
    })
  })
  try {
    for await (const chunk of chunks) {
      if (gone) return
      if (!stream.write(chunk)) await Promise.race([closed, drained(stream)])
    }
    stream.end(undefined)
  } catch (error) {
    stream.destroy(error as Error)
    throw error
  }
}

/** Resolves when a full stream accepts data again. */
export const drained = (stream: { once(event: 'drain', listener: () => void): unknown }) =>
  new Promise<void>((resolve) => {
    stream.once('drain', resolve)
  })
