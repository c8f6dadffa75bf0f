import { createHash } from 'node:crypto'
import {
  commandOf,
  countCommands,
  cpus,
  kinds,
  type MachO,
  readMachO,
  resizeSegment,
  segmentOf,
} from './mach-o.ts'

/**
 * Ad-hoc signatures: digests of an executable, without an identity. Processors of Apple refuse
 * executables without one. The result is what `codesign --sign -` writes. Layouts are those of
 * Apple's `cs_blobs.h`; all numbers are big-endian.
 */
export const blobs = {
  signature: 0xfade0cc0,
  codeDirectory: 0xfade0c02,
  requirements: 0xfade0c01,
  cms: 0xfade0b01,
} as const
export const slots = { codeDirectory: 0, requirements: 2, cms: 0x10000 } as const
export const pageSize = 4096
export const digestSize = 32
const directorySize = 88
const commandSize = 16
/** The version of a code directory that says where the program's own code is. */
const version = 0x20400
const adHoc = 0x2
const mainProgram = 1n

/**
 * Returns an unsigned Mach-O executable with an ad-hoc signature.
 *
 * @param identifier the program's name in the signature
 */
export function signMachO(unsigned: Buffer, identifier: string): Buffer {
  const before = readMachO(unsigned)
  if (commandOf(before, kinds.signature)) throw new Error('the file is signed already')
  if (before.commandsEnd + commandSize > before.contentStart)
    throw new Error('the file has no room for the load command of a signature')
  const start = roundUp(unsigned.length, 16)
  const pages = Math.ceil(start / pageSize)
  const requirements = blob(blobs.requirements, Buffer.alloc(4))
  const cms = blob(blobs.cms, Buffer.alloc(0))
  const name = Buffer.from(`${identifier}\0`)
  const directoryLength = directorySize + name.length + (2 + pages) * digestSize
  const size = roundUp(12 + 3 * 8 + directoryLength + requirements.length + cms.length, 16)

  const file = Buffer.alloc(start + size)
  unsigned.copy(file)
  addCommand(file, before, start, size)
  const directory = codeDirectory(file.subarray(0, start), segmentOf(before, '__TEXT').size, {
    name,
    requirements,
    length: directoryLength,
  })
  superBlob([
    [slots.codeDirectory, directory],
    [slots.requirements, requirements],
    [slots.cms, cms],
  ]).copy(file, start)
  return file
}

/** Adds the load command, and extends the last segment over the signature. */
function addCommand(file: Buffer, parts: MachO, start: number, size: number): void {
  const at = parts.commandsEnd
  file.writeUInt32LE(kinds.signature, at)
  file.writeUInt32LE(commandSize, at + 4)
  file.writeUInt32LE(start, at + 8)
  file.writeUInt32LE(size, at + 12)
  countCommands(file, 1, commandSize)
  const last = segmentOf(parts, '__LINKEDIT')
  const used = start + size - last.offset
  resizeSegment(file, last, used, roundUp(used, parts.cpu === cpus.arm64 ? 16_384 : 4096))
}

interface Contents {
  name: Buffer
  requirements: Buffer
  length: number
}

/** Returns the blob with the digest of each page of the code, and of the requirements. */
function codeDirectory(code: Buffer, textSize: number, contents: Contents): Buffer {
  const { name, requirements, length } = contents
  const digestsAt = directorySize + name.length + 2 * digestSize
  const pages = Math.ceil(code.length / pageSize)
  const body = Buffer.alloc(length)
  const words = [
    ...[blobs.codeDirectory, length, version, adHoc],
    ...[digestsAt, directorySize, 2, pages, code.length],
  ]
  for (const [index, word] of words.entries()) body.writeUInt32BE(word, index * 4)
  body.writeUInt8(digestSize, 36)
  const sha256 = 2
  body.writeUInt8(sha256, 37)
  body.writeUInt8(Math.log2(pageSize), 39)
  body.writeBigUInt64BE(BigInt(textSize), 72)
  body.writeBigUInt64BE(mainProgram, 80)
  name.copy(body, directorySize)
  // Slots of what is not code count backwards: -1 is a property list, which there is none of.
  sha256Of(requirements).copy(body, digestsAt - 2 * digestSize)
  for (let page = 0; page < pages; page++) {
    const digest = sha256Of(code.subarray(page * pageSize, (page + 1) * pageSize))
    digest.copy(body, digestsAt + page * digestSize)
  }
  return body
}

function superBlob(parts: [slot: number, blob: Buffer][]): Buffer {
  const index = Buffer.alloc(4 + parts.length * 8)
  index.writeUInt32BE(parts.length, 0)
  let at = 8 + index.length
  for (const [place, [slot, { length }]] of parts.entries()) {
    index.writeUInt32BE(slot, 4 + place * 8)
    index.writeUInt32BE(at, 8 + place * 8)
    at += length
  }
  return blob(blobs.signature, Buffer.concat([index, ...parts.map(([, part]) => part)]))
}

/** Returns a blob: its kind, its length, its contents. */
function blob(kind: number, contents: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(kind, 0)
  head.writeUInt32BE(8 + contents.length, 4)
  return Buffer.concat([head, contents])
}

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

const roundUp = (value: number, step: number) => Math.ceil(value / step) * step
