import { pack } from 'tar-stream'
import type { HostFile } from '../engine/engine.ts'
import type { Bytes } from './ports.ts'

/** What ends a tar archive: two blocks of zeros. */
const endBytes = 1024

/** Files as one tar archive, without its end: another archive may follow. Directories are left out. */
export async function tarEntries(files: readonly HostFile[]): Promise<Uint8Array> {
  const whole = await tarOf(files)
  return whole.subarray(0, whole.length - endBytes)
}

/** Files as one tar archive. */
export async function tarOf(files: readonly HostFile[]): Promise<Uint8Array> {
  const archive = pack()
  for (const { path, content, mode } of files) {
    archive.entry({ name: path, mode }, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

/** A tar archive that passes by. Its blocks are looked at, nothing is kept. */
export interface TarWatch {
  /** The same bytes. Throws `TarCut` at the end of one that has no end of its own, or stops in the middle. */
  stream: Bytes
  /** Regular files that have passed. */
  files(): number
}

/** An archive that is not whole. */
export class TarCut extends Error {}

/** Watches an archive go by: whether it is whole, and how many files it has (POSIX.1-2001, pax interchange format). */
export function watchTar(source: Bytes): TarWatch {
  const walk = newWalk()
  async function* stream() {
    for await (const chunk of source) {
      advance(walk, chunk)
      yield chunk
    }
    if (!walk.ended) throw new TarCut('the archive is cut short')
  }
  return { stream: stream(), files: () => walk.files }
}

const blockBytes = 512
/** Longer extended headers than this have no size in them that anybody wrote on purpose. */
const paxBytesMax = 1024 * 1024

interface Walk {
  /** A header that has come in part. */
  header: Buffer
  filled: number
  /** Bytes of content and padding that are still to come. */
  skip: number
  /** The content of an extended header while it comes, and how long it is without padding. */
  pax: { chunks: Uint8Array[]; size: number } | null
  /** The size that an extended header gives the next entry. */
  nextSize: number | null
  files: number
  ended: boolean
}

const newWalk = (): Walk => ({
  ...{ header: Buffer.alloc(blockBytes), filled: 0, skip: 0 },
  ...{ pax: null, nextSize: null, files: 0, ended: false },
})

function advance(walk: Walk, chunk: Uint8Array): void {
  let at = 0
  while (at < chunk.length && !walk.ended) {
    if (walk.skip > 0) {
      const taken = Math.min(walk.skip, chunk.length - at)
      walk.pax?.chunks.push(chunk.slice(at, at + taken))
      walk.skip -= taken
      at += taken
      if (walk.skip === 0 && walk.pax) endPax(walk)
      continue
    }
    const taken = Math.min(blockBytes - walk.filled, chunk.length - at)
    walk.header.set(chunk.subarray(at, at + taken), walk.filled)
    walk.filled += taken
    at += taken
    if (walk.filled === blockBytes) readHeader(walk)
  }
}

function readHeader(walk: Walk): void {
  const { header } = walk
  walk.filled = 0
  if (header.every((byte) => byte === 0)) {
    walk.ended = true
    return
  }
  const type = String.fromCharCode(header[156]!)
  const isExtended = type === 'x' || type === 'g'
  const size = isExtended || type === 'L' || type === 'K' ? sizeOf(header) : takeSize(walk)
  if (!isExtended && (type === '0' || type === '\0')) walk.files += 1
  walk.skip = Math.ceil(size / blockBytes) * blockBytes
  if (type === 'x' && size > 0 && size <= paxBytesMax) walk.pax = { chunks: [], size }
}

/** Of the entry whose header this is: as an extended header said, else its own. Links and the like have no content. */
function takeSize(walk: Walk): number {
  const size = walk.nextSize ?? sizeOf(walk.header)
  walk.nextSize = null
  const type = String.fromCharCode(walk.header[156]!)
  return '123456'.includes(type) ? 0 : size
}

/** Octal digits, or, with the first bit set, a number of 95 bits. */
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136)
  if ((field[0]! & 0x80) !== 0) return Number(field.readBigUInt64BE(4))
  const size = Number.parseInt(field.toString('latin1').replaceAll('\0', ' ').trim() || '0', 8)
  if (!Number.isSafeInteger(size)) throw new TarCut('the archive has a header that is none')
  return size
}

function endPax(walk: Walk): void {
  const { chunks, size } = walk.pax!
  walk.pax = null
  let text = Buffer.concat(chunks).subarray(0, size)
  while (text.length > 0) {
    const blank = text.indexOf(0x20)
    const length = Number(text.subarray(0, blank).toString('latin1'))
    if (blank <= 0 || !Number.isSafeInteger(length) || length <= blank) return
    const record = text.subarray(blank + 1, length - 1).toString('utf8')
    if (record.startsWith('size=')) walk.nextSize = Number(record.slice('size='.length))
    text = text.subarray(length)
  }
}
