/** Numbers of the fields that are read of BuildKit's `StatusResponse`. */
const statusFields = { vertexes: 1, logs: 3 }
const vertexFields = { digest: 1, name: 3 }
const logFields = { vertex: 1, text: 4 }

/**
 * Returns a reader of BuildKit's progress, which gives what the commands (`RUN`) of a build printed, of one line at a time:
 * a protocol buffer in base64. What other steps print is left out: the words of places that the builder fetches from. Empty
 * for all else, and for what cannot be read.
 */
export function traceReader(): (aux: string) => string {
  const commands = new Set<string>()
  return (aux) => {
    let output = ''
    for (const [field, part] of fields(Buffer.from(aux, 'base64'))) {
      if (field === statusFields.vertexes) {
        const { digest, name } = textsOf(part, vertexFields)
        if (/^(\[[^\]]*\] )?RUN /.test(name)) commands.add(digest)
      } else if (field === statusFields.logs) {
        const { vertex, text } = textsOf(part, logFields)
        if (commands.has(vertex)) output += text
      }
    }
    return output
  }
}

/** The texts of a message by the names of their fields; empty for those it does not have. */
function textsOf<Name extends string>(
  message: Buffer,
  names: Record<Name, number>,
): Record<Name, string> {
  const all = new Map([...fields(message)].map(([field, text]) => [field, text.toString('utf8')]))
  const entries = Object.entries<number>(names).map(([name, field]) => [name, all.get(field) ?? ''])
  return Object.fromEntries(entries)
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
