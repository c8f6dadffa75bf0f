import { ownEntry } from '../../data/own-entry.ts'
import { docs, knownValues, namedBelow } from './compose-docs.ts'
import { type KnownKey, keysOf, meaningOf, type Schema, valuesOf } from './schema-walk.ts'
import { keyAt, keysBelow, placeAt } from './yaml-place.ts'

/** Something that can be written at a place of a compose file. */
export interface Option {
  label: string
  kind: 'key' | 'value' | 'name'
  /** What is inserted; `holds` says how a key goes on. */
  holds?: KnownKey['holds']
  isRequired?: boolean
  about?: string
}

export interface Options {
  /** Where the word begins that an option replaces. */
  from: number
  /** The column of the line's key: what it holds is written two columns behind it. */
  column: number
  options: readonly Option[]
}

export interface Hover {
  from: number
  to: number
  about: string
  values: readonly string[]
}

const aboutOf = (pattern: readonly string[]): string | undefined =>
  ownEntry(ownEntry(docs, pattern.slice(0, -1).join('.')), pattern.at(-1) ?? '')

/** Returns what can be written at an offset of a compose file. */
export function optionsAt(schema: Schema, text: string, offset: number): Options | undefined {
  const place = placeAt(text, offset)
  if (!place) return undefined
  const meaning = meaningOf(schema, place.path)
  const pattern = meaning.pattern.join('.')
  const written = new Set(writtenBeside(text, offset))
  const options: Option[] = []
  if (place.mayBeKey) {
    for (const { name, holds, isRequired } of keysOf(schema, meaning)) {
      const about = aboutOf([...meaning.pattern, name])
      if (!written.has(name)) {
        options.push({ label: name, kind: 'key', holds, isRequired, ...(about && { about }) })
      }
    }
  }
  const section = ownEntry(namedBelow, pattern)
  for (const name of section ? keysBelow(text, [section]) : []) {
    options.push({ label: name, kind: 'name' })
  }
  if (place.mayBeValue) {
    const words = new Set([...valuesOf(meaning), ...(ownEntry(knownValues, pattern) ?? [])])
    for (const label of words) options.push({ label, kind: 'value' })
  }
  const begin = text.lastIndexOf('\n', offset - 1) + 1
  return { from: place.from, column: place.from - begin, options }
}

/** Returns the keys of the mapping that the line of an offset belongs to. */
function writtenBeside(text: string, offset: number): string[] {
  const begin = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const without = text.slice(0, begin) + (end === -1 ? '' : text.slice(end + 1))
  const place = placeAt(text, offset)
  return place && !place.path.includes('-') ? keysBelow(without, place.path) : []
}

/** Returns what the key at an offset means. */
export function hoverAt(schema: Schema, text: string, offset: number): Hover | undefined {
  const key = keyAt(text, offset)
  if (!key) return undefined
  const meaning = meaningOf(schema, key.path)
  const about = aboutOf(meaning.pattern)
  const known = ownEntry(knownValues, meaning.pattern.join('.')) ?? []
  const values = [...new Set([...valuesOf(meaning), ...known])]
  if (about === undefined && values.length === 0) return undefined
  return { from: key.from, to: key.to, about: about ?? '', values }
}
