/** A file to pack, with its path in the archive. */
export interface PackedFile {
  path: string
  file: Blob
  /** Permission bits. */
  mode: number
}

const encoder = new TextEncoder()
const blockSize = 512

/** Returns a tar archive as the parts of a Blob. It reads nothing: contents stay on disk. */
export function tarParts(files: readonly PackedFile[]): BlobPart[] {
  const parts = files.flatMap(({ path, file, mode }): BlobPart[] => [
    ...headers(path, file.size, mode),
    file,
    new Uint8Array(padding(file.size)),
  ])
  return [...parts, new Uint8Array(2 * blockSize)]
}

const padding = (size: number) => (blockSize - (size % blockSize)) % blockSize

/** Returns the headers of a file. A path that is too long for one has an extra header before it. */
function headers(path: string, size: number, mode: number): Uint8Array<ArrayBuffer>[] {
  const name = encoder.encode(path)
  if (name.length <= 100) return [header(name, { size, mode, type: '0' })]
  const record = encoder.encode(paxRecord('path', path))
  const content = new Uint8Array(record.length + padding(record.length))
  content.set(record)
  return [
    header(encoder.encode('path'), { size: record.length, mode: 0o644, type: 'x' }),
    content,
    header(name.subarray(0, 100), { size, mode, type: '0' }),
  ]
}

/** A record begins with its own length in bytes, these digits included. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = encoder.encode(rest).length
  const length = [1, 2, 3, 4, 5].map((digits) => bytes + digits)
  const fitting = length.find((one, index) => String(one).length === index + 1) ?? 0
  return `${fitting}${rest}`
}

interface HeaderFields {
  size: number
  mode: number
  type: '0' | 'x'
}

function header(name: Uint8Array, { size, mode, type }: HeaderFields): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(blockSize)
  const put = (text: string, at: number) => block.set(encoder.encode(text), at)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.set(name)
  put(octal(mode, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(size, 11), 124)
  put(octal(0, 11), 136)
  // The sum is taken as if its own field had spaces.
  put('        ', 148)
  put(type, 156)
  put('ustar\u000000', 257)
  put(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return block
}
