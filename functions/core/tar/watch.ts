import { unusable } from '../errors.ts'
import type { Bytes } from '../ports/backup-targets.ts'
import { isLostTime, type LostTimes, timeOf } from './lost-times.ts'

/** A tar archive that passes through. Only its headers are examined and nothing is stored. */
export interface TarWatch {
  /**
   * Yields the same bytes.
   *
   * @throws 422 if they are not a tar archive
   * @throws `TarCut` if they end before the archive does
   */
  stream: Bytes
  /** Returns the number of regular files that have passed so far. */
  files(): number
  /** Returns the entries so far whose time an Engine cannot set. */
  lostTimes(): LostTimes
}

/** The archive is truncated. */
export class TarCut extends Error {}

/** Passes an archive through, checks that it is complete and counts its files. */
export function watchTar(source: Bytes): TarWatch {
  const walk = tarFiles()
  async function* stream() {
    for await (const chunk of source) {
      walk.see(chunk)
      yield chunk
    }
    if (!walk.ended()) throw new TarCut('the archive is cut short')
  }
  return { stream: stream(), files: () => walk.files(), lostTimes: () => walk.lostTimes() }
}

/** A parser that follows a tar archive and counts its files. */
export interface TarFiles {
  /**
   * Parses the next bytes.
   *
   * @throws 422 if they are not part of a tar archive
   */
  see(chunk: Uint8Array): void
  /** Returns true once the end marker of the archive was read. */
  ended(): boolean
  /** Returns the number of regular files so far. */
  files(): number
  /** Returns the entries so far whose time an Engine cannot set. */
  lostTimes(): LostTimes
}

const block = 512
/** More than any path and all attributes of a file can need. */
const paxBytesMax = 1024 * 1024

/**
 * Returns a parser that examines only headers of 512 bytes (POSIX pax, ustar and GNU tar) and
 * stores no content. Sizes of 8 GiB and more are in base 256 or in a preceding pax header.
 *
 * @param onPath called with the path of each entry, as its bytes: names need not be UTF-8
 */
export function tarFiles(onPath: (path: Buffer) => void = () => {}): TarFiles {
  const header = new Uint8Array(block)
  let filled = 0
  let skip = 0
  let pax: { bytes: Uint8Array; filled: number; read: typeof attributesIn } | undefined
  let attributes: PaxAttributes = {}
  let files = 0
  const lost: LostTimes = { count: 0, first: '' }
  let zeros = 0

  function takeHeader() {
    if (zeros < 2 && header.every((byte) => byte === 0)) {
      zeros++
      return
    }
    if (zeros === 1) throw notTar()
    checkSum(header)
    const [typeFlag = 0] = header.subarray(156)
    const type = String.fromCharCode(typeFlag)
    const size = readNumber(header, 124, 12)
    if (type === 'x' || type === 'L') {
      if (size > paxBytesMax) throw notTar()
      const read = type === 'x' ? attributesIn : longPathIn
      pax = { bytes: new Uint8Array(size), filled: 0, read }
    } else if (type !== 'g' && type !== 'K') {
      if (type === '0' || type === '\0' || type === '7') files++
      skip = headersOnly.has(type) ? 0 : padded(attributes.size ?? size)
      const path = attributes.path ?? pathIn(header)
      onPath(path)
      if (!linkTypes.has(type) && isLostTime(attributes.mtime ?? timeOf(header))) {
        if (lost.count === 0) lost.first = path.toString('utf8')
        lost.count++
      }
      attributes = {}
      return
    }
    skip = padded(size)
  }

  function keepPax(chunk: Uint8Array) {
    if (!pax) return
    const part = chunk.subarray(0, pax.bytes.length - pax.filled)
    pax.bytes.set(part, pax.filled)
    pax.filled += part.length
    if (pax.filled < pax.bytes.length) return
    attributes = { ...attributes, ...pax.read(pax.bytes) }
    pax = undefined
  }

  return {
    see(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (zeros === 2) return
        const wanted = skip > 0 ? skip : block - filled
        const part = chunk.subarray(at, at + wanted)
        at += part.length
        if (skip > 0) {
          keepPax(part)
          skip -= part.length
          continue
        }
        header.set(part, filled)
        filled += part.length
        if (filled < block) continue
        filled = 0
        takeHeader()
      }
    },
    ended: () => zeros === 2,
    files: () => files,
    lostTimes: () => ({ ...lost }),
  }
}

/** Links, devices and directories: no content follows, whatever their size field says. */
const headersOnly = new Set(['1', '2', '3', '4', '5', '6'])

/** Hard and symbolic links. The time of a hard link is that of its file. */
const linkTypes = new Set(['1', '2'])

const padded = (size: number) => Math.ceil(size / block) * block

/**
 * Checks the sum of the header's bytes, which counts the checksum field itself as spaces.
 *
 * @throws 422 if it differs
 */
function checkSum(header: Uint8Array): void {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  if (sum !== readNumber(header, 148, 8)) throw notTar()
}

/** Reads a number in octal digits, or in base 256 if the first bit is set. */
function readNumber(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length)
  const [first = 0] = field
  let number = 0
  if ((first & 0x80) !== 0) {
    for (const [index, byte] of field.entries()) {
      number = number * 256 + (index === 0 ? byte & 0x7f : byte)
    }
  } else {
    const digits = new TextDecoder('latin1').decode(field).replace(/[ \0]/g, '')
    if (!/^[0-7]*$/.test(digits)) throw notTar()
    number = digits === '' ? 0 : Number.parseInt(digits, 8)
  }
  if (!Number.isSafeInteger(number)) throw notTar()
  return number
}

/** What a pax header says of the entry after it, as far as it is needed. */
interface PaxAttributes {
  size?: number
  /** Seconds since the epoch. */
  mtime?: number
  path?: Buffer
}

/** Reads the path of GNU tar that is too long for a header. It ends with a zero byte. */
function longPathIn(bytes: Uint8Array): PaxAttributes {
  return { path: untilZero(Buffer.from(bytes)) }
}

const untilZero = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

/** Reads a pax header, which consists of records `<length> <key>=<value>\n`. */
function attributesIn(bytes: Uint8Array): PaxAttributes {
  const text = Buffer.from(bytes).toString('latin1')
  const found: PaxAttributes = {}
  for (let at = 0; at < text.length; ) {
    const blank = text.indexOf(' ', at)
    const length = Number(text.slice(at, blank))
    if (blank < 0 || !Number.isInteger(length) || length < 5 || at + length > text.length) {
      throw notTar()
    }
    const record = text.slice(blank + 1, at + length - 1)
    if (record.startsWith('size=')) found.size = Number(record.slice('size='.length))
    if (record.startsWith('mtime=')) found.mtime = Number(record.slice('mtime='.length))
    if (record.startsWith('path=')) {
      found.path = Buffer.from(record.slice('path='.length), 'latin1')
    }
    at += length
  }
  const { size } = found
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) throw notTar()
  return found
}

/** Returns the path in a header without a pax header. Only ustar has a prefix. */
function pathIn(header: Uint8Array): Buffer {
  const bytesAt = (at: number, length: number) =>
    untilZero(Buffer.from(header.subarray(at, at + length)))
  const isUstar = bytesAt(257, 6).toString('latin1') === 'ustar'
  const prefix = isUstar ? bytesAt(345, 155) : Buffer.alloc(0)
  const name = bytesAt(0, 100)
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name])
}

const notTar = () => unusable('not a tar archive')
