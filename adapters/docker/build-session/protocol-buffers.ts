/** Returns the text fields of a message by name; missing fields are empty. */
export function textsOf<Name extends string>(
  message: Buffer,
  names: Record<Name, number>,
): Record<Name, string> {
  const all = new Map([...fields(message)].map(([field, text]) => [field, text.toString('utf8')]))
  const entries = Object.entries<number>(names).map(([name, field]) => [name, all.get(field) ?? ''])
  return Object.fromEntries(entries)
}

/** Yields the length-delimited fields of a message and skips the others. */
export function* fields(message: Buffer): Generator<[field: number, content: Buffer]> {
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
    if (kind === 0) number()
    else if (kind === 2) {
      const length = number()
      yield [Math.floor(key / 8), message.subarray(at, at + length)]
      at += length
    } else if (lengths[kind]) at += lengths[kind]
    else return
  }
}

/** Returns an encoded length-delimited field. */
export const encodedField = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content])

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
