import { withSegmentCount } from './chained-fixups.ts'
import { commandOf, countCommands, kinds, type MachO, readMachO, segmentOf } from './mach-o.ts'

/** The part of an executable that has the script, and the fuse that tells Node.js about it. */
export const injected = {
  segment: 'NODE_SEA',
  section: '__NODE_SEA_BLOB',
  resource: 'NODE_SEA_BLOB',
  fuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
}

/** A segment and its one section begin at a page; this is the larger one of the two processors. */
const pageSize = 16_384
const commandSize = 72 + 80
/** Room that the load command of a signature needs. */
const signatureRoom = 16
const readable = 1

/**
 * Returns an unsigned Mach-O executable with a script as a segment of its own, before the last one,
 * which has the data of the linker. That data stays as it is, but for the number of segments.
 *
 * @throws if the file has no room for the load command, or load commands that are not known
 */
export function withScript(unsigned: Buffer, script: Buffer): Buffer {
  const parts = readMachO(unsigned)
  const last = segmentOf(parts, '__LINKEDIT')
  if (last !== parts.segments.at(-1) || last.offset + last.size !== unsigned.length)
    throw new Error('__LINKEDIT is not the end of the file')
  if (parts.commandsEnd + commandSize + signatureRoom > parts.contentStart)
    throw new Error('the file has no room for another segment')
  const size = Math.ceil(script.length / pageSize) * pageSize
  const linked = withSegmentCount(unsigned, parts, parts.segments.length + 1)
  const space = Buffer.alloc(size)
  script.copy(space)
  const file = Buffer.concat([unsigned.subarray(0, last.offset), space, linked.bytes])
  for (const field of linkedOffsets(unsigned, parts)) {
    const offset = unsigned.readUInt32LE(field)
    const grown = offset >= linked.grownAt ? linked.growth : 0
    if (offset !== 0) file.writeUInt32LE(offset + size + grown, field)
  }
  const fixups = commandOf(parts, kinds.chainedFixups)
  if (fixups) {
    const field = fixups.offset + 12
    file.writeUInt32LE(unsigned.readUInt32LE(field) + linked.growth, field)
  }
  addSegment(file, parts, { length: script.length, size, linkedSize: linked.bytes.length })
  blowFuse(file)
  return file
}

/** Writes the load command of the new segment before that of the last one, which moves. */
function addSegment(
  file: Buffer,
  parts: MachO,
  { length, size, linkedSize }: { length: number; size: number; linkedSize: number },
): void {
  const { address, offset, command } = segmentOf(parts, '__LINKEDIT')
  const at = command.offset
  file.copyWithin(at + commandSize, at, parts.commandsEnd)
  countCommands(file, 1, commandSize)
  const next = at + commandSize
  const memory = Math.ceil(linkedSize / pageSize) * pageSize
  for (const [index, value] of [address + size, memory, offset + size, linkedSize].entries())
    file.writeBigUInt64LE(BigInt(value), next + 24 + index * 8)

  file.fill(0, at, next)
  file.writeUInt32LE(kinds.segment, at)
  file.writeUInt32LE(commandSize, at + 4)
  file.write(injected.segment, at + 8)
  for (const [index, value] of [address, size, offset, size].entries())
    file.writeBigUInt64LE(BigInt(value), at + 24 + index * 8)
  for (const [index, word] of [readable, readable, 1].entries())
    file.writeUInt32LE(word, at + 56 + index * 4)
  const section = at + 72
  file.write(injected.section, section)
  file.write(injected.segment, section + 16)
  file.writeBigUInt64LE(BigInt(address), section + 32)
  file.writeBigUInt64LE(BigInt(length), section + 40)
  file.writeUInt32LE(offset, section + 48)
}

/** The load commands with offsets into the last segment, and where in the command they are. */
const offsetWords: Readonly<Record<number, readonly number[]>> = {
  [kinds.symbols]: [0, 2],
  [kinds.dynamicSymbols]: [6, 8, 10, 12, 14, 16],
  [kinds.dyldInfo]: [0, 2, 4, 6, 8],
  [kinds.functionStarts]: [0],
  [kinds.dataInCode]: [0],
  [kinds.exportsTrie]: [0],
  [kinds.chainedFixups]: [0],
}

/**
 * Other load commands that executables have: segments, libraries (also weak ones), the loader, the
 * identifier, the version of the sources, the start, search paths, the oldest system.
 */
const others = [0x19, 0xc, 0x80000018, 0xe, 0x1b, 0x2a, 0x80000028, 0x8000001c, 0x32, 0x24]

/** Returns where in the file the offsets into the last segment are. */
function linkedOffsets(file: Buffer, { commands }: MachO): number[] {
  return commands.flatMap(({ kind, offset }) => {
    const words = offsetWords[kind]
    if (!words && !others.includes(kind))
      throw new Error(`load command 0x${kind.toString(16)} at ${file.length} is not known`)
    return (words ?? []).map((word) => offset + 8 + word * 4)
  })
}

/** Tells Node.js that there is a script. */
function blowFuse(file: Buffer): void {
  const at = file.indexOf(`${injected.fuse}:0`)
  if (at < 0 || file.indexOf(`${injected.fuse}:`, at + 1) >= 0)
    throw new Error('the file does not have exactly one fuse')
  file.write('1', at + injected.fuse.length + 1, 'latin1')
}
