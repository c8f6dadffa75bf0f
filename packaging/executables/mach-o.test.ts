import { expect, test } from 'vitest'
import { checkInjected, checkSignature } from './check-mach-o.ts'
import { injected } from './insert-segment.ts'
import { cpus, kinds, readMachO, segmentOf } from './mach-o.ts'
import { withoutSignature } from './remove-signature.ts'
import { signMachO } from './sign-mach-o.ts'

interface Part {
  name: string
  address: number
  offset: number
  content: Buffer
  section?: string
}

/** Returns an executable with these segments, and free room for load commands. */
function executable(parts: Part[], cpu: number = cpus.arm64): Buffer {
  const commands = parts.map(({ name, address, offset, content, section }) => {
    const command = Buffer.alloc(section ? 152 : 72)
    command.writeUInt32LE(kinds.segment, 0)
    command.writeUInt32LE(command.length, 4)
    command.write(name, 8)
    command.writeBigUInt64LE(BigInt(address), 24)
    command.writeBigUInt64LE(BigInt(Math.ceil(content.length / 16_384) * 16_384), 32)
    command.writeBigUInt64LE(BigInt(offset), 40)
    command.writeBigUInt64LE(BigInt(content.length), 48)
    if (section) {
      command.writeUInt32LE(1, 64)
      command.write(section, 72)
      command.write(name, 88)
      command.writeBigUInt64LE(BigInt(address + 1024), 104)
      command.writeBigUInt64LE(BigInt(content.length - 1024), 112)
      command.writeUInt32LE(offset + 1024, 120)
    }
    return command
  })
  const head = Buffer.alloc(32)
  const words = [0xfeedfacf, cpu, 0, 2, parts.length, Buffer.concat(commands).length]
  for (const [index, word] of words.entries()) head.writeUInt32LE(word, index * 4)
  const file = Buffer.alloc(Math.max(...parts.map((one) => one.offset + one.content.length)))
  for (const { offset, content } of parts) content.copy(file, offset)
  Buffer.concat([head, ...commands]).copy(file)
  return file
}

const code = Buffer.alloc(16_384, 'code ')
code.write(`${injected.fuse}:0`, 4096)
const text: Part = { name: '__TEXT', address: 2 ** 32, offset: 0, content: code, section: '__text' }
const linkedit = (offset: number): Part => ({
  name: '__LINKEDIT',
  address: 2 ** 32 + 2 * offset,
  offset,
  content: Buffer.alloc(1001, 'symbols'),
})
const plain = executable([text, linkedit(16_384)])
const script = Buffer.alloc(16_384 - 1024, 'script')
const withScript = executable([
  { ...text, content: blown(code) },
  {
    name: injected.segment,
    address: 2 ** 32 + 16_384,
    offset: 16_384,
    content: Buffer.concat([Buffer.alloc(1024), script]),
    section: injected.section,
  },
  linkedit(32_768),
])

/** Returns code whose fuse is blown. */
function blown(before: Buffer): Buffer {
  const after = Buffer.from(before)
  after.write('1', before.indexOf(`${injected.fuse}:`) + injected.fuse.length + 1)
  return after
}

const flipped = (file: Buffer, at: number) => {
  const copy = Buffer.from(file)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('a signed file has an ad-hoc signature of its name and of all of its pages', () => {
  const signed = signMachO(plain, 'program')
  const expected = { identifier: 'program', isAdHoc: true, pages: Math.ceil(17_392 / 4096) }
  expect(checkSignature(signed)).toEqual(expected)
  const last = segmentOf(readMachO(signed), '__LINKEDIT')
  expect(last.offset + last.size).toBe(signed.length)
  expect(last.memory).toBe(16_384)
})

test.each([0, 33, 5000, 16_384, 17_000])('a change of byte %i breaks the signature', (at) => {
  expect(() => checkSignature(flipped(signMachO(plain, 'program'), at))).toThrow()
})

test('the last digest covers the end of a page that is not full', () => {
  const signed = signMachO(plain, 'program')
  expect(() => checkSignature(flipped(signed, 17_391))).toThrow('page 4 differs')
})

test('removing a signature returns the unsigned file, padded', () => {
  const signed = signMachO(plain, 'program')
  const unsigned = withoutSignature(signed)
  expect(unsigned.subarray(0, 32)).toEqual(plain.subarray(0, 32))
  expect(unsigned.subarray(16_384, plain.length)).toEqual(plain.subarray(16_384))
  expect(signMachO(unsigned, 'program')).toEqual(signed)
  expect(withoutSignature(plain)).toBe(plain)
})

test('rejects a file that is signed, has no room, or is no executable', () => {
  expect(() => signMachO(signMachO(plain, 'a'), 'b')).toThrow('signed already')
  const full = Buffer.from(plain)
  // The section starts where the load commands end.
  full.writeUInt32LE(readMachO(plain).commandsEnd, 32 + 120)
  expect(() => signMachO(full, 'a')).toThrow('no room')
  expect(() => readMachO(Buffer.from('ELF'))).toThrow('not a 64-bit Mach-O file')
})

test('accepts an executable with the script in a segment of its own', () => {
  expect(() => checkInjected(plain, signMachO(withScript, 'a'), script)).not.toThrow()
})

test('rejects an executable whose other contents changed, or whose script differs', () => {
  expect(() => checkInjected(plain, flipped(withScript, 9000), script)).toThrow('other contents')
  expect(() => checkInjected(plain, withScript, script.subarray(1))).toThrow('not in its section')
  const longer = Buffer.concat([withScript, Buffer.alloc(1)])
  expect(() => checkInjected(plain, signMachO(longer, 'a'), script)).not.toThrow()
  const overlapping = Buffer.from(withScript)
  overlapping.writeBigUInt64LE(20_000n, 32 + 48)
  expect(() => checkInjected(plain, overlapping, script)).toThrow('overlaps')
})
