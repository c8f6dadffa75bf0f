import { parseAllDocuments } from 'yaml'
import type { Estate } from '../api/types.ts'
import { failed } from '../failure.ts'

/**
 * Returns what a file declares. The service checks its fields.
 *
 * @param file how messages name the file
 * @throws CliFailure if it is not one YAML document with fields
 */
export function readEstate(text: string, file: string): Estate {
  const documents = parseAllDocuments(text)
  if ('empty' in documents) throw failed(`${file}: is empty`)
  const [document, ...others] = documents
  const [problem] = document?.errors ?? []
  if (problem) throw failed(`${file}: ${problem.message}`)
  if (!document || others.length > 0) throw failed(`${file}: must be one YAML document`)
  const value = valueIn(document, file)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Estate
  throw failed(`${file}: must have fields, such as \`version: 1\``)
}

/** An alias without an anchor, or too many of them, is found only when it is read. */
function valueIn(document: { toJS(): unknown }, file: string): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause
    throw failed(`${file}: ${cause.message}`, { cause })
  }
}
