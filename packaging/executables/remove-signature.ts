import { commandOf, countCommands, kinds, readMachO, resizeSegment, segmentOf } from './mach-o.ts'

/**
 * Returns a Mach-O executable without its signature, or the same file if it has none. A signature
 * is the end of the last segment, and of the file.
 */
export function withoutSignature(signed: Buffer): Buffer {
  const parts = readMachO(signed)
  const command = commandOf(parts, kinds.signature)
  if (!command) return signed
  const start = signed.readUInt32LE(command.offset + 8)
  const last = segmentOf(parts, '__LINKEDIT')
  const end = last.offset + last.size
  if (start + signed.readUInt32LE(command.offset + 12) !== end || end !== signed.length)
    throw new Error('the signature is not at the end of the file')
  const file = Buffer.from(signed.subarray(0, start))
  resizeSegment(file, last, start - last.offset, last.memory)
  // The other load commands move up.
  file.copyWithin(command.offset, command.offset + command.size, parts.commandsEnd)
  file.fill(0, parts.commandsEnd - command.size, parts.commandsEnd)
  countCommands(file, -1, -command.size)
  return file
}
