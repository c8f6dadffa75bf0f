import { unusable } from '../../functions/core/errors.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { BufferPool, ByteReader } from './pieces.ts'

/** Bytes of content per frame that this service writes. */
export const frameBytes = 1024 * 1024

/**
 * Limits of a frame, because the archive is untrusted: compressed bytes, and blocks (128 KiB or
 * less each).
 */
const packedMax = 4 * 1024 * 1024
const blocksMax = 256
/** The maximum content of a frame within these limits, in bytes. */
export const contentMax = blocksMax * 128 * 1024
/** The decoder's window is at most 2^windowLogMax bytes. */
const windowLogMax = 23

const magic = 0xfd2fb528

const cut = () => unusable('The archive was cut short')
const foreign = () => unusable('This is not an archive written by the service')

/**
 * Yields the frames of a zstd stream (RFC 8878, section 3.1.1). A frame is in a buffer of
 * `frameBuffers` if it fits; the caller returns the buffer. Refuses skippable and oversized frames.
 */
export async function* zstdFrames(
  stored: Bytes,
  buffers: BufferPool,
): AsyncGenerator<Buffer, void, void> {
  const reader = new ByteReader(stored)
  try {
    let frame = await readFrame(reader, buffers)
    if (!frame) throw cut()
    while (frame) {
      yield frame
      frame = await readFrame(reader, buffers)
    }
  } finally {
    await reader.close()
  }
}

/**
 * Returns buffers for frames that this service writes. Incompressible content makes a frame
 * slightly larger than its content.
 */
export const frameBuffers = () => new BufferPool(frameBytes + 16 * 1024)

async function readFrame(reader: ByteReader, buffers: BufferPool): Promise<Buffer | undefined> {
  let frame = buffers.take()
  let bytes = await reader.readInto(frame, 0, 5)
  if (bytes === 0) return undefined
  if (bytes < 5) throw cut()
  const take = async (length: number) => {
    const at = bytes
    bytes += length
    if (bytes > packedMax) throw foreign()
    if (bytes > frame.length) frame = grown(frame)
    if ((await reader.readInto(frame, at, length)) < length) throw cut()
    return at
  }
  if (frame.readUInt32LE(0) !== magic) throw foreign()
  const { headerBytes, windowed, checksum } = readDescriptor(frame.readUInt8(4))
  const header = await take(headerBytes)
  if (windowed && 10 + (frame.readUInt8(header) >> 3) > windowLogMax) throw foreign()
  for (let blocks = 1, last = false; !last; blocks++) {
    if (blocks > blocksMax) throw foreign()
    const at = await take(3)
    const block = frame.readUIntLE(at, 3)
    last = (block & 1) === 1
    const type = (block >> 1) & 3
    if (type === 3) throw foreign()
    await take(type === 1 ? 1 : block >> 3)
  }
  if (checksum) await take(4)
  return frame.subarray(0, bytes)
}

function grown(frame: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(packedMax)
  larger.set(frame)
  return larger
}

/** Returns what a frame's descriptor says, and the number of header bytes after it. */
function readDescriptor(descriptor: number) {
  const single = (descriptor >> 5) & 1
  const [sizeFlag, dictionaryFlag] = [descriptor >> 6, descriptor & 3]
  const sizeField = sizeFlag === 0 ? single : 2 ** sizeFlag
  const dictionaryField = dictionaryFlag === 3 ? 4 : dictionaryFlag
  return {
    headerBytes: 1 - single + dictionaryField + sizeField,
    windowed: single === 0,
    checksum: ((descriptor >> 2) & 1) === 1,
  }
}
