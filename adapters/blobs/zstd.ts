import zlib from 'node:zlib'
import { unusable } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { markHandled } from '../../functions/core/promises.ts'
import { BufferPool, pieces } from './pieces.ts'
import { contentMax, frameBuffers, frameBytes, zstdFrames } from './zstd-frames.ts'

/** Compresses and decompresses single frames in other threads. */
export interface Zstd {
  compress(content: Buffer): Promise<Buffer>
  decompress(frame: Buffer): Promise<Buffer>
}

/** Frames in flight: a second one is read and compressed while the first one is written. */
const parallel = 2

const level = 3

/**
 * Returns Node's own zstd if it has one (22.15, 23.8 and later), else that of @mongodb-js/zstd, or
 * undefined if neither is available.
 */
export async function findZstd(): Promise<Zstd | undefined> {
  return ownZstd(zlib) ?? (await packageZstd())
}

/** Missing in the types of Node 20. */
interface ZlibWithZstd {
  zstdCompress?: OneShot
  zstdDecompress?: OneShot
  constants: Record<string, number>
}
type OneShot = (
  input: Buffer,
  options: object,
  done: (error: Error | null, output: Buffer) => void,
) => void

/**
 * Returns Node's own zstd. The output buffer is large enough for the whole result, because each
 * further buffer costs a round trip to the thread pool.
 */
export function ownZstd(own: ZlibWithZstd): Zstd | undefined {
  const { zstdCompress, zstdDecompress, constants } = own
  const { ZSTD_c_compressionLevel: levelKey, ZSTD_c_checksumFlag: checksumKey } = constants
  if (!zstdCompress || !zstdDecompress || !levelKey || !checksumKey) return undefined
  const params = { [levelKey]: level, [checksumKey]: 1 }
  return {
    compress: (content) =>
      promised(zstdCompress, content, {
        params,
        chunkSize: Math.max(1024, content.length + 65_536),
      }),
    decompress: (frame) =>
      promised(zstdDecompress, frame, { maxOutputLength: contentMax, chunkSize: frameBytes }),
  }
}

const promised = (call: OneShot, input: Buffer, options: object) =>
  new Promise<Buffer>((resolve, reject) =>
    call(input, options, (error, output) => (error ? reject(error) : resolve(output))),
  )

/** Returns the package's zstd, which is prebuilt for Linux, macOS and Windows. */
export async function packageZstd(): Promise<Zstd | undefined> {
  try {
    const { compress, decompress } = await import('@mongodb-js/zstd')
    return { compress: (content) => compress(content, level), decompress }
  } catch (error) {
    ignoreError('load the package for zstd')(error)
    return undefined
  }
}

/**
 * Yields the content as a zstd stream of independent frames, which can be compressed in parallel
 * with little memory.
 */
export async function* compressed(content: Bytes, zstd: Zstd): AsyncGenerator<Buffer, void, void> {
  const buffers = new BufferPool(frameBytes)
  const compress = async (piece: Buffer) => {
    const frame = await zstd.compress(piece)
    buffers.release(piece)
    return frame
  }
  let none = true
  for await (const frame of ahead(pieces(content, buffers), compress)) {
    none = false
    yield frame
  }
  if (none) yield await zstd.compress(Buffer.alloc(0))
}

/** Yields the content of a zstd stream with frames like those of `compressed`. */
export async function* decompressed(stored: Bytes, zstd: Zstd): AsyncGenerator<Buffer, void, void> {
  const buffers = frameBuffers()
  yield* ahead(zstdFrames(stored, buffers), async (frame) => {
    try {
      const content = await zstd.decompress(frame)
      buffers.release(frame)
      return content
    } catch (cause) {
      throw unusable('The archive was modified: its compressed data is damaged', { cause })
    }
  })
}

/** Processes up to `parallel` values at a time and yields the results in order. */
async function* ahead<T, R>(
  source: AsyncIterable<T>,
  work: (one: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const pending: Promise<R>[] = []
  for await (const one of source) {
    pending.push(markHandled(work(one)))
    const oldest = pending.length >= parallel ? pending.shift() : undefined
    if (oldest) yield await oldest
  }
  for (const result of pending) yield await result
}
