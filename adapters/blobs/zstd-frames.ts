import type { Bytes } from '../../functions/core/backups/ports.ts'
import { unprocessable } from '../../functions/core/errors.ts'
import { ByteReader } from './pieces.ts'

/** How much content one frame has at most, as we write them. */
export const frameBytes = 1024 * 1024

/** What a frame may be, that a stranger could have written: how large it is packed, and how many blocks (≤ 128 KiB) it has. */
const packedMax = 4 * 1024 * 1024
const blocksMax = 256
/** A frame's content at most, by those. */
export const contentMax = blocksMax * 128 * 1024
/** 2^windowLogMax bytes are what a decoder may be asked to remember. */
const windowLogMax = 23

const magic = 0xfd2fb528

const cut = () => unprocessable('The archive was cut short')
const foreign = () => unprocessable('This is not an archive that the service wrote')

/** The frames of a zstd stream, each whole. Format: RFC 8878, section 3.1.1. Skippable and larger frames are refused. */
export async function* zstdFrames(stored: Bytes): AsyncGenerator<Buffer, void, void> {
  const reader = new ByteReader(stored)
  try {
    let frame = await readFrame(reader)
    if (!frame) throw cut()
    while (frame) {
      yield frame
      frame = await readFrame(reader)
    }
  } finally {
    await reader.close()
  }
}

async function readFrame(reader: ByteReader): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  const take = async (length: number) => {
    const part = await reader.read(length)
    if (part.length < length) throw cut()
    bytes += length
    if (bytes > packedMax) throw foreign()
    parts.push(part)
    return part
  }
  const start = await reader.read(5)
  if (start.length === 0) return undefined
  if (start.length < 5) throw cut()
  parts.push(start)
  if (start.readUInt32LE(0) !== magic) throw foreign()
  const { headerBytes, windowed, checksum } = readDescriptor(start[4]!)
  const header = await take(headerBytes)
  if (windowed && 10 + (header[0]! >> 3) > windowLogMax) throw foreign()
  for (let blocks = 1, last = false; !last; blocks++) {
    if (blocks > blocksMax) throw foreign()
    const block = (await take(3)).readUIntLE(0, 3)
    last = (block & 1) === 1
    const type = (block >> 1) & 3
    if (type === 3) throw foreign()
    await take(type === 1 ? 1 : block >> 3)
  }
  if (checksum) await take(4)
  return Buffer.concat(parts)
}

/** How many bytes of header follow a frame's descriptor, and what it says besides. */
function readDescriptor(descriptor: number) {
  const single = (descriptor >> 5) & 1
  const sizeField = [single, 2, 4, 8][descriptor >> 6]!
  const dictionaryField = [0, 1, 2, 4][descriptor & 3]!
  return {
    headerBytes: 1 - single + dictionaryField + sizeField,
    windowed: single === 0,
    checksum: ((descriptor >> 2) & 1) === 1,
  }
}
