import type { Io } from '../io.ts'
import { pickFields } from './pick-fields.ts'
import { namesOf } from './row-name.ts'
import { clean, escapeControlCharacters } from './text.ts'

/**
 * Returns a value as text that programs read, with a newline at its end. `raw` is the JSON that the
 * value was sent as.
 */
export interface Structured {
  (value: unknown, raw?: string): string
  /** Stands between two values. */
  separator?: string
}

/** What the flags of a command say about its output. */
export interface OutputForm {
  output: 'table' | 'json' | 'yaml' | 'name'
  /** Only these fields of each object. */
  fields?: readonly string[]
  /** A jq expression over the JSON. */
  jq?: string
}

/** Returns what writes values in a form, or undefined for tables. */
export async function structuredOf(
  form: OutputForm,
  { stdout }: Pick<Io, 'stdout'>,
): Promise<Structured | undefined> {
  const { output, fields, jq } = form
  const picked = (value: unknown) => (fields ? pickFields(value, fields) : value)
  // A terminal acts on control characters, and programs get the text unchanged.
  const safe = (text: string) => (stdout.isTTY ? escapeControlCharacters(text) : text)
  if (output === 'name') return (value) => linesOf(namesOf(value))
  if (output === 'yaml') return yamlWriter()
  if (jq !== undefined) {
    const { selector } = await import('./select-with-jq.ts')
    const select = await selector(jq)
    return (value) => safe(select(picked(value)))
  }
  if (output !== 'json') return undefined
  return (value, raw) => {
    const text = fields || raw === undefined ? JSON.stringify(picked(value)) : raw
    return safe(text.endsWith('\n') ? text : `${text}\n`)
  }
}

const linesOf = (names: readonly string[]) => names.map((name) => `${clean(name)}\n`).join('')

async function yamlWriter(): Promise<Structured> {
  const { yamlText } = await import('./yaml-text.ts')
  return Object.assign((value: unknown) => yamlText(value), { separator: '---\n' })
}
