import { readFixups } from './chained-fixups.ts'
import { injected } from './insert-segment.ts'
import {
  commandOf,
  kinds,
  type MachO,
  readMachO,
  type Section,
  type Segment,
  segmentOf,
} from './mach-o.ts'
import { blobs, digestSize, pageSize, sha256Of, slots } from './sign-mach-o.ts'

/** What the signature of an executable says. */
export interface Signature {
  identifier: string
  isAdHoc: boolean
  pages: number
}

/**
 * Reads the signature of a Mach-O executable and compares each digest with the file.
 *
 * @throws if the signature is missing or does not match the file
 */
export function checkSignature(file: Buffer): Signature {
  const parts = readMachO(file)
  const command = commandOf(parts, kinds.signature)
  if (!command) throw new Error('the file has no signature')
  const start = file.readUInt32LE(command.offset + 8)
  const size = file.readUInt32LE(command.offset + 12)
  const last = segmentOf(parts, '__LINKEDIT')
  if (start % 16 !== 0 || start + size !== file.length || last.offset + last.size !== file.length)
    throw new Error('the signature is not at the end of the last segment and of the file')
  const found = readBlobs(file.subarray(start, start + size))
  const directory = found.get(slots.codeDirectory)
  const requirements = found.get(slots.requirements)
  if (!directory || directory.readUInt32BE(0) !== blobs.codeDirectory)
    throw new Error('the signature has no code directory')
  if (!requirements) throw new Error('the signature has no requirements')
  return checkDirectory(directory, requirements, file.subarray(0, start), parts)
}

function readBlobs(signature: Buffer): Map<number, Buffer> {
  if (signature.readUInt32BE(0) !== blobs.signature) throw new Error('not a signature')
  const length = signature.readUInt32BE(4)
  const count = signature.readUInt32BE(8)
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = signature.readUInt32BE(16 + index * 8)
      const end = at + signature.readUInt32BE(at + 4)
      if (end > length) throw new Error('a blob ends after its signature')
      return [signature.readUInt32BE(12 + index * 8), signature.subarray(at, end)] as const
    }),
  )
}

function checkDirectory(directory: Buffer, requirements: Buffer, code: Buffer, parts: MachO) {
  const word = (index: number) => directory.readUInt32BE(index * 4)
  const [flags, digestsAt, nameAt, special, pages] = [3, 4, 5, 6, 7].map(word)
  if (digestsAt === undefined || nameAt === undefined || special !== 2) throw new Error('bad slots')
  if (word(8) !== code.length) throw new Error('the signature is of another length of code')
  if (pages !== Math.ceil(code.length / pageSize)) throw new Error('pages have no digest')
  if (Number(directory.readBigUInt64BE(72)) !== segmentOf(parts, '__TEXT').size)
    throw new Error('the signature is of another text segment')
  const digest = (slot: number) => {
    const at = digestsAt + slot * digestSize
    return directory.subarray(at, at + digestSize)
  }
  if (!digest(-2).equals(sha256Of(requirements))) throw new Error('other requirements are signed')
  for (let page = 0; page < pages; page++) {
    const bytes = code.subarray(page * pageSize, (page + 1) * pageSize)
    if (!digest(page).equals(sha256Of(bytes)))
      throw new Error(`page ${page} differs from its digest`)
  }
  const identifier = directory.toString('utf8', nameAt, directory.indexOf(0, nameAt))
  return { identifier, isAdHoc: ((flags ?? 0) & 2) !== 0, pages }
}

/**
 * Compares an executable with the Node.js that it is made of: it has the script in a segment of its
 * own, and everything else is as it was.
 *
 * @throws if it is not
 */
export function checkInjected(before: Buffer, after: Buffer, script: Buffer): void {
  const [old, now] = [readMachO(before), readMachO(after)]
  const own = segmentOf(now, injected.segment)
  const section = own.sections.find(({ name }) => name === injected.section)
  if (!section || !contentOf(after, section).equals(script))
    throw new Error('the script is not in its section')
  checkOrder(now, after.length)
  for (const segment of old.segments) checkSegment(before, segment, after, now)
  checkFixups(before, old, after, now)
  for (const kind of linked)
    checkLinked(linkedData(before, old, kind), linkedData(after, now, kind), kind)
}

/** Segments neither overlap nor leave bytes at the end of the file. */
function checkOrder({ segments }: MachO, length: number): void {
  const inFile = segments.filter(({ size }) => size > 0).sort((a, b) => a.offset - b.offset)
  const inMemory = [...segments].sort((a, b) => a.address - b.address)
  for (const [index, one] of inFile.entries()) {
    const next = inFile[index + 1]?.offset ?? length
    if (one.offset + one.size > next)
      throw new Error(`${one.name} overlaps the next one in the file`)
    if (one.size > one.memory) throw new Error(`${one.name} is smaller in memory than in the file`)
  }
  for (const [index, one] of inMemory.entries()) {
    const next = inMemory[index + 1]?.address ?? Number.MAX_SAFE_INTEGER
    if (one.address + one.memory > next) throw new Error(`${one.name} overlaps the next in memory`)
  }
  if (inFile.at(-1)?.name !== '__LINKEDIT') throw new Error('__LINKEDIT is not the last segment')
}

/** Each section has the address and the contents that it had. */
function checkSegment(before: Buffer, old: Segment, after: Buffer, parts: MachO): void {
  const now = segmentOf(parts, old.name)
  if (old.name === '__LINKEDIT') return
  if (now.address !== old.address || now.memory !== old.memory)
    throw new Error(`${old.name} has another address`)
  for (const [index, section] of old.sections.entries()) {
    const same = now.sections[index]
    if (same?.name !== section.name || same.address !== section.address)
      throw new Error(`${section.name} has another address`)
    if (section.offset === 0) continue
    if (!isSame(contentOf(before, section), contentOf(after, same)))
      throw new Error(`${section.name} has other contents`)
  }
}

const contentOf = (file: Buffer, { offset, size }: Section) => file.subarray(offset, offset + size)

/** Contents are the same but for the one character of the fuse. */
function isSame(before: Buffer, after: Buffer): boolean {
  if (before.equals(after)) return true
  const at = before.indexOf(`${injected.fuse}:0`)
  if (at < 0) return false
  const blown = Buffer.from(before)
  blown.write('1', at + injected.fuse.length + 1, 'latin1')
  return blown.equals(after)
}

/** Each segment has the fixups that it had, and an entry, which the loader insists on. */
function checkFixups(before: Buffer, old: MachO, after: Buffer, now: MachO): void {
  const [was, is] = [readFixups(before, old), readFixups(after, now)]
  if (!was || !is) {
    if (was || is) throw new Error('the fixups are missing')
    return
  }
  if (is.segments.length !== now.segments.length)
    throw new Error(`there are fixups of ${is.segments.length} segments`)
  for (const [index, { name }] of now.segments.entries()) {
    const place = old.segments.findIndex((one) => one.name === name)
    const expected = place < 0 ? undefined : was.segments[place]
    const found = is.segments[index]
    if (expected === undefined ? found !== undefined : !found?.equals(expected))
      throw new Error(`the fixups of ${name} differ`)
  }
  if (!is.imports.equals(was.imports) || !is.symbols.equals(was.symbols))
    throw new Error('the symbols of the fixups differ')
}

/** The load commands that say where data of the linker is in the last segment: offset and size. */
const linked = [
  kinds.functionStarts,
  kinds.dataInCode,
  kinds.exportsTrie,
  kinds.symbols,
  kinds.dynamicSymbols,
  kinds.dyldInfo,
]

/** Returns the pairs of offset and size of a load command as the bytes that they mean. */
function linkedData(file: Buffer, parts: MachO, kind: number): Buffer[] {
  const command = commandOf(parts, kind)
  if (!command) return []
  const word = (index: number) => file.readUInt32LE(command.offset + 8 + index * 4)
  const range = (offset: number, size: number) => file.subarray(offset, offset + size)
  const symbol = 16
  if (kind === kinds.symbols) return [range(word(0), word(1) * symbol), range(word(2), word(3))]
  if (kind === kinds.dynamicSymbols) return [range(word(12), word(13) * 4)]
  const pairs = kind === kinds.dyldInfo ? 5 : 1
  return Array.from({ length: pairs }, (_, index) => range(word(index * 2), word(index * 2 + 1)))
}

function checkLinked(before: Buffer[], after: Buffer[], kind: number): void {
  const same = before.every((one, index) => after[index] && one.equals(after[index]))
  if (!same || before.length !== after.length)
    throw new Error(`data of load command 0x${kind.toString(16)} differs`)
}
