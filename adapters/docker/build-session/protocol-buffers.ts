/** Returns the text fields of a message by name; missing fields are empty. */
export function textsOf<Name extends string>(
  message: Buffer,
  names: Record<Name, number>,
): Record<Name, string> {
  const all = new Map([...fields(message)].map(([field, text]) => [field, text.toString('utf8')]))
  const entries = Object.entries<number>(names).map(([name, field]) => [name, all.get(field) ?? ''])
  return Object.fromEntries(entries)
}

/** Returns the number fields of a message by name; missing fields are 0. */
export function numbersOf<Name extends string>(
  message: Buffer,
  names: Record<Name, number>,
): Record<Name, number> {
  const all = new Map(allFields(message))
  const entries = Object.entries<number>(names).map(([name, field]) => {
    const value = all.get(field)
    return [name, typeof value === 'number' ? value : 0]
  })
  return Object.fromEntries(entries)
}

/** Yields the length-delimited fields of a message and skips the others. */
export function* fields(message: Buffer): Generator<[field: number, content: Buffer]> {
  for (const [field, value] of allFields(message)) {
    if (typeof value !== 'number') yield [field, value]
  }
}

/** Yields the numbers and the length-delimited fields of a message. */
function* allFields(message: Buffer): Generator<[field: number, value: number | Buffer]> {
  let at = 0
  const number = () => {
    let value = 0
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message.readUInt8(at)
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value
  }
  const lengths: Record<number, number> = { 1: 8, 5: 4 }
  while (at < message.length) {
    const key = number()
    const kind = key % 8
    const field = Math.floor(key / 8)
    if (kind === 0) yield [field, number()]
    else if (kind === 2) {
      const length = number()
      yield [field, message.subarray(at, at + length)]
      at += length
    } else if (lengths[kind]) at += lengths[kind]
    else return
  }
}

/** Returns an encoded length-delimited field. */
export const encodedField = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(content.length)), content])

/** Returns an encoded number field; negative numbers as `int64` has them. */
export const encodedNumber = (field: number, value: bigint): Buffer =>
  Buffer.concat([varint(BigInt(field * 8)), varint(BigInt.asUintN(64, value))])

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if (rest < 0x80n) return Buffer.from([...bytes, low])
    bytes.push(low | 0x80)
  }
}
