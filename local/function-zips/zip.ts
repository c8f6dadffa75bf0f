import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive by its path. */
export interface ZipFile {
  path: string
  content: Uint8Array
}

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endOfDirectory = 0x06054b50
const version = 20
/** Names are in UTF-8. */
const flags = 0x0800
const deflated = 8
/** 1980-01-01, so that the same files make the same archive. */
const date = 0x21
/** A regular file that everyone may read: Lambda runs functions as another user. */
const attributes = (0o100644 << 16) >>> 0
const madeOnUnix = (3 << 8) | version

/** Returns a zip archive of the files. */
export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content } of files) {
    const name = Buffer.from(path)
    const { data, crc } = pack(content)
    const header = headerOf(crc, data.length, content.length, name.length)
    parts.push(words([localHeader, 4]), header, name, data)
    directory.push(
      words([centralHeader, 4], [madeOnUnix, 2]),
      header,
      words([0, 2], [0, 2], [0, 2], [attributes, 4], [offset, 4]),
      name,
    )
    offset += 4 + header.length + name.length + data.length
  }
  const entries = Buffer.concat(directory)
  const end = words(
    [endOfDirectory, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [entries.length, 4],
    [offset, 4],
    [0, 2],
  )
  return Buffer.concat([...parts, entries, end])
}

/** Compressed files. The archives of the functions have most of their files in common. */
const packed = new WeakMap<Uint8Array, { data: Buffer; crc: number }>()

function pack(content: Uint8Array) {
  const known = packed.get(content)
  if (known) return known
  const made = { data: deflateRawSync(content, { level: 9 }), crc: crc32(content) }
  packed.set(content, made)
  return made
}

/** Returns the fields that both headers of a file have. */
const headerOf = (crc: number, packed: number, size: number, name: number) =>
  words(
    [version, 2],
    [flags, 2],
    [deflated, 2],
    [0, 2],
    [date, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name, 2],
    [0, 2],
  )

/** Returns numbers of this many bytes each, lowest byte first. */
function words(...values: (readonly [value: number, bytes: number])[]): Buffer {
  const out = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of values) at = out.writeUIntLE(value, at, bytes)
  return out
}
