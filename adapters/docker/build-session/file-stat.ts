import type { Header } from 'tar-stream'
import { encodedField, encodedNumber } from './protocol-buffers.ts'

/**
 * Field numbers of the message that describes a file. The Engine would take other owners than root,
 * but a build context has none.
 */
const statFields = {
  path: 1,
  mode: 2,
  size: 5,
  modified: 6,
  linkname: 7,
  deviceMajor: 8,
  deviceMinor: 9,
  attributes: 10,
}
const attributeFields = { name: 1, value: 2 }

/** Bits that say what an entry is, as Go has them in `os.FileMode`. Regular files have none. */
const typeBits: Readonly<Record<string, number>> = {
  directory: 2 ** 31,
  symlink: 2 ** 27,
  'block-device': 2 ** 26,
  'character-device': 2 ** 26 + 2 ** 21,
  fifo: 2 ** 25,
}

/** Special bits of Unix, and the same ones in `os.FileMode`. */
const specialBits = [
  [0o4000, 2 ** 23],
  [0o2000, 2 ** 22],
  [0o1000, 2 ** 20],
] as const

/** The prefix of extended attributes in the header of an archive's entry. */
const attributePrefix = 'SCHILY.xattr.'

/** What is described of an entry; missing fields are 0 or empty. */
export type Described = Pick<Header, 'name'> & Partial<Header>

/** Returns the message that describes an entry. The path has no slash at its end. */
export function encodedStat({ name, type, mode = 0, size = 0, ...header }: Described): Buffer {
  const { mtime, linkname, devmajor, devminor, pax } = header
  const special = specialBits.filter(([bit]) => (mode & bit) !== 0).map(([, bit]) => bit)
  const bits = [mode & 0o777, typeBits[type ?? ''] ?? 0, ...special]
  const numbers: [field: number, value: bigint][] = [
    [statFields.mode, BigInt(bits.reduce((sum, bit) => sum + bit))],
    [statFields.size, BigInt(size)],
    [statFields.modified, BigInt(mtime?.getTime() ?? 0) * 1_000_000n],
    [statFields.deviceMajor, BigInt(devmajor ?? 0)],
    [statFields.deviceMinor, BigInt(devminor ?? 0)],
  ]
  const attributes = Object.entries(pax ?? {})
    .filter(([key]) => key.startsWith(attributePrefix))
    .map(([key, value]) =>
      Buffer.concat([
        encodedField(attributeFields.name, Buffer.from(key.slice(attributePrefix.length))),
        encodedField(attributeFields.value, Buffer.from(value)),
      ]),
    )
  return Buffer.concat([
    encodedField(statFields.path, Buffer.from(name)),
    ...numbers.map(([field, value]) => encodedNumber(field, value)),
    encodedField(statFields.linkname, Buffer.from(linkname ?? '')),
    ...attributes.map((one) => encodedField(statFields.attributes, one)),
  ])
}
