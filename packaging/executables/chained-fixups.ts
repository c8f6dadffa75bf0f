import { commandOf, kinds, type MachO, segmentOf } from './mach-o.ts'

/**
 * Chained fixups: where in each segment the loader has to fill in addresses. Layouts are those of
 * Apple's `mach-o/fixup-chains.h`. From macOS 27 on, the loader rejects a file unless they have an
 * entry for each segment.
 */
const startsField = 4
const importsField = 8
const symbolsField = 12
/** The new entry, and as much again to keep what follows at addresses that 8 divides. */
const growth = 8

/** The data of the last segment, and where it grew. Offsets are those of the file before. */
export interface Linked {
  bytes: Buffer
  grownAt: number
  growth: number
}

/** Returns the contents of the last segment, with one more entry for a segment without fixups. */
export function withSegmentCount(file: Buffer, parts: MachO, count: number): Linked {
  const last = segmentOf(parts, '__LINKEDIT')
  const bytes = file.subarray(last.offset)
  const command = commandOf(parts, kinds.chainedFixups)
  if (!command) return { bytes, grownAt: 0, growth: 0 }
  const start = file.readUInt32LE(command.offset + 8)
  const end = start + file.readUInt32LE(command.offset + 12)
  const old = file.subarray(start, end)
  const startsAt = old.readUInt32LE(startsField)
  const segments = old.readUInt32LE(startsAt)
  if (segments !== count - 1) throw new Error(`there are fixups of ${segments} segments`)
  const entriesEnd = startsAt + 4 + segments * 4

  const grown = Buffer.concat([
    old.subarray(0, entriesEnd),
    Buffer.alloc(growth),
    old.subarray(entriesEnd),
  ])
  grown.writeUInt32LE(count, startsAt)
  for (const field of [importsField, symbolsField])
    grown.writeUInt32LE(old.readUInt32LE(field) + growth, field)
  const entries = Array.from({ length: segments }, (_, index) =>
    old.readUInt32LE(startsAt + 4 + index * 4),
  )
  // The last segment has none either, so the new one may be after it.
  if (entries.at(-1) !== 0) throw new Error('the last segment has fixups')
  for (const [index, offset] of entries.entries())
    if (offset !== 0) grown.writeUInt32LE(offset + growth, startsAt + 4 + index * 4)
  const before = file.subarray(last.offset, start)
  return { bytes: Buffer.concat([before, grown, file.subarray(end)]), grownAt: end, growth }
}

/** The fixups of a file: those of each segment, and the symbols that they need. */
export interface Fixups {
  segments: (Buffer | undefined)[]
  imports: Buffer
  symbols: Buffer
}

/** Reads the fixups of a file, if it has chained ones. */
export function readFixups(file: Buffer, parts: MachO): Fixups | undefined {
  const command = commandOf(parts, kinds.chainedFixups)
  if (!command) return undefined
  const start = file.readUInt32LE(command.offset + 8)
  const data = file.subarray(start, start + file.readUInt32LE(command.offset + 12))
  const startsAt = data.readUInt32LE(startsField)
  const [importsAt, symbolsAt] = [data.readUInt32LE(importsField), data.readUInt32LE(symbolsField)]
  const segments = Array.from({ length: data.readUInt32LE(startsAt) }, (_, index) => {
    const offset = data.readUInt32LE(startsAt + 4 + index * 4)
    if (offset === 0) return undefined
    const at = startsAt + offset
    const end = at + data.readUInt32LE(at)
    if (end > importsAt) throw new Error(`the fixups of segment ${index} are too long`)
    return data.subarray(at, end)
  })
  return {
    segments,
    imports: data.subarray(importsAt, symbolsAt),
    symbols: data.subarray(symbolsAt),
  }
}
