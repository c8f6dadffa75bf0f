import { lineFinder, readScalars, type YamlScalar } from '../../../compose/yaml/read-scalars.ts'
import {
  type PlainValue,
  type SopsDocument,
  type SopsValue,
  tooManyValues,
  type UnreadFile,
} from './document.ts'

/** The key of the top mapping under which sops keeps what it says of a file. */
const ownKey = 'sops'

/**
 * Reads a YAML file. Its comments, its order and its values that are not encrypted stay.
 *
 * @param valuesMax a file with more values is not read
 */
export function yamlDocument(text: string, valuesMax: number): SopsDocument | UnreadFile {
  const read = readScalars(text)
  if ('problem' in read) return read
  const metadata = new Map<string, string>()
  const scalars: YamlScalar[] = []
  const values: SopsValue[] = []
  const lineAt = lineFinder(text)
  for (const scalar of read.scalars) {
    if (scalar.value === null) continue
    const [top, ...place] = scalar.path
    if (top === ownKey) {
      metadata.set(place.join('.'), scalar.text)
      continue
    }
    const covered = coveredOf(scalar)
    const line = lineAt(scalar.start)
    if (values.length === valuesMax) return tooManyValues(valuesMax, line)
    if (covered === undefined) return { problem: unusual, line }
    const keys = scalar.path.filter((part) => typeof part === 'string')
    scalars.push(scalar)
    values.push({ keys, text: scalar.text, covered, line })
  }
  const own = read.entries.filter(({ key }) => key === ownKey)
  return {
    metadata,
    values,
    print(plain) {
      const changes = scalars.flatMap((scalar, at) => {
        const value = plain[at]
        return value ? [{ start: scalar.start, end: scalar.end, text: printed(value) }] : []
      })
      return replaced(text, [...changes, ...own.map((entry) => ({ ...entry, text: '' }))])
    },
  }
}

const unusual = 'it is a date, or a number that is not decimal: put it into quotes'

/**
 * Returns what the MAC covers of a value that is not encrypted, as sops prints it. Returns
 * undefined for what Compose and sops may read as different values.
 */
function coveredOf({ value, text }: YamlScalar): string | undefined {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return value === text ? text : undefined
  const shown = String(value)
  return /^-?\d+(\.\d+)?$/.test(shown) ? shown : undefined
}

/** Returns a value as YAML that means the same in each place. */
function printed({ type, text }: PlainValue): string {
  if (type === 'bool') return text.toLowerCase()
  if (type !== 'str') return text
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped)
}

interface Change {
  start: number
  end: number
  text: string
}

function replaced(text: string, changes: readonly Change[]): string {
  const parts: string[] = []
  let at = 0
  for (const change of changes.toSorted((one, other) => one.start - other.start)) {
    parts.push(text.slice(at, change.start), change.text)
    at = change.end
  }
  return [...parts, text.slice(at)].join('')
}
