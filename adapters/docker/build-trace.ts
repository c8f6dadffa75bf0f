/** Numbers of the fields that are read of BuildKit's `StatusResponse` and `VertexLog` messages. */
const logsField = 3
const textField = 4

/**
 * What the commands of a build printed, of one line of BuildKit's progress: a protocol buffer in base64. Empty for progress
 * that is none of a command's, and for what cannot be read.
 */
export function traceOutput(aux: string): string {
  let output = ''
  for (const [field, log] of fields(Buffer.from(aux, 'base64'))) {
    if (field !== logsField) continue
    for (const [part, text] of fields(log)) if (part === textField) output += text.toString('utf8')
  }
  return output
}

/** The fields of a message that have a length: the others are stepped over. */
function* fields(message: Buffer): Generator<[field: number, content: Buffer]> {
  let at = 0
  const number = () => {
    let value = 0
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message[at++]!
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
