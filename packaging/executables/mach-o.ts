/**
 * The parts of a Mach-O executable for one 64-bit processor that matter to its signature. Layouts
 * are those of Apple's `mach-o/loader.h`; all numbers are little-endian.
 */
export interface MachO {
  cpu: number
  commands: Command[]
  segments: Segment[]
  /** Where the load commands end, and the first byte after them that is in use. */
  commandsEnd: number
  contentStart: number
}

/** A load command: what it is, and where it is in the file. */
export interface Command {
  kind: number
  offset: number
  size: number
}

export interface Segment {
  name: string
  command: Command
  address: number
  memory: number
  offset: number
  size: number
  sections: Section[]
}

export interface Section {
  name: string
  address: number
  size: number
  offset: number
}

export const kinds = {
  segment: 0x19,
  symbols: 0x2,
  dynamicSymbols: 0xb,
  signature: 0x1d,
  functionStarts: 0x26,
  dataInCode: 0x29,
  dyldInfo: 0x80000022,
  exportsTrie: 0x80000033,
  chainedFixups: 0x80000034,
} as const

export const cpus = { amd64: 0x01000007, arm64: 0x0100000c } as const

const magic = 0xfeedfacf
const executable = 2
export const headerSize = 32
const commandCount = 16
const commandsSize = 20

/** Reads the load commands. @throws if the file is not such an executable */
export function readMachO(file: Buffer): MachO {
  if (file.length < headerSize || file.readUInt32LE(0) !== magic)
    throw new Error('not a 64-bit Mach-O file')
  if (file.readUInt32LE(12) !== executable) throw new Error('not an executable')
  const commandsEnd = headerSize + file.readUInt32LE(commandsSize)
  const commands: Command[] = []
  for (let offset = headerSize; offset < commandsEnd; ) {
    const size = file.readUInt32LE(offset + 4)
    if (size < 8 || offset + size > commandsEnd) throw new Error('a load command is too long')
    commands.push({ kind: file.readUInt32LE(offset), offset, size })
    offset += size
  }
  if (commands.length !== file.readUInt32LE(commandCount))
    throw new Error('the number of load commands is wrong')
  const segments = commands
    .filter(({ kind }) => kind === kinds.segment)
    .map((command) => readSegment(file, command))
  const starts = segments.flatMap(({ sections }) => sections.map(({ offset }) => offset))
  const contentStart = Math.min(...starts.filter((offset) => offset > 0))
  return { cpu: file.readUInt32LE(4), commands, segments, commandsEnd, contentStart }
}

function readSegment(file: Buffer, command: Command): Segment {
  const at = command.offset
  const count = file.readUInt32LE(at + 64)
  return {
    name: nameAt(file, at + 8),
    command,
    address: numberAt(file, at + 24),
    memory: numberAt(file, at + 32),
    offset: numberAt(file, at + 40),
    size: numberAt(file, at + 48),
    sections: Array.from({ length: count }, (_, index) => readSection(file, at + 72 + index * 80)),
  }
}

const readSection = (file: Buffer, at: number): Section => ({
  name: nameAt(file, at),
  address: numberAt(file, at + 32),
  size: numberAt(file, at + 40),
  offset: file.readUInt32LE(at + 48),
})

const nameAt = (file: Buffer, at: number) =>
  file.toString('latin1', at, at + 16).replace(/\0+$/, '')

/** Returns a 64-bit number. Files and addresses here are far below 2^53. */
const numberAt = (file: Buffer, at: number) => Number(file.readBigUInt64LE(at))

/** Returns the segment of that name. @throws if there is none */
export function segmentOf({ segments }: MachO, name: string): Segment {
  const found = segments.find((one) => one.name === name)
  if (!found) throw new Error(`the file has no segment ${name}`)
  return found
}

/** Returns the load command of that kind, if there is one. */
export const commandOf = ({ commands }: MachO, kind: number) =>
  commands.find((one) => one.kind === kind)

/** Writes the sizes of a segment, in the file and in memory. */
export function resizeSegment(file: Buffer, { command }: Segment, size: number, memory: number) {
  file.writeBigUInt64LE(BigInt(memory), command.offset + 32)
  file.writeBigUInt64LE(BigInt(size), command.offset + 48)
}

/** Changes how many load commands there are, and how many bytes they have. */
export function countCommands(file: Buffer, count: number, bytes: number): void {
  file.writeUInt32LE(file.readUInt32LE(commandCount) + count, commandCount)
  file.writeUInt32LE(file.readUInt32LE(commandsSize) + bytes, commandsSize)
}
