import { fields, textsOf } from '../build-session/protocol-buffers.ts'

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
