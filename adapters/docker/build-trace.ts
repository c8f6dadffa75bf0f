/** Field numbers of BuildKit's `StatusResponse`. */
const statusFields = { vertexes: 1, logs: 3 }
const vertexFields = { digest: 1, name: 3 }
const logFields = { vertex: 1, text: 4 }

/**
 * Returns a reader of BuildKit's progress messages (base64-encoded protocol buffers). It returns
 * the output of the build's `RUN` commands, and an empty text for other messages and unreadable
 * input. Output of other steps is left out because it can quote remote servers that the builder
 * fetches from.
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

/** Returns the text fields of a message by name; missing fields are empty. */
function textsOf<Name extends string>(
  message: Buffer,
  names: Record<Name, number>,
): Record<Name, string> {
  const all = new Map([...fields(message)].map(([field, text]) => [field, text.toString('utf8')]))
  const entries = Object.entries<number>(names).map(([name, field]) => [name, all.get(field) ?? ''])
  return Object.fromEntries(entries)
}

/** Yields the length-delimited fields of a message and skips the others. */
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
