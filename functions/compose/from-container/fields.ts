import { ownEntry } from '../lookup.ts'

/** An object of the Engine, or attributes of a compose file. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns a text, or an empty one. */
export function textAt(fields: Fields | undefined, key: string): string {
  const value = ownEntry(fields, key)
  return typeof value === 'string' ? value : ''
}

/** Returns a number, or 0. */
export function numberAt(fields: Fields | undefined, key: string): number {
  const value = ownEntry(fields, key)
  return typeof value === 'number' ? value : 0
}

/** Returns a list of texts. The Engine may show a list of one as a text. */
export function listAt(fields: Fields | undefined, key: string): string[] {
  const value = ownEntry(fields, key)
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Returns an object, or an empty one. */
export function fieldsAt(fields: Fields | undefined, key: string): Fields {
  const value = ownEntry(fields, key)
  return isFields(value) ? value : {}
}

/** Returns a list of objects. */
export function objectsAt(fields: Fields | undefined, key: string): Fields[] {
  const value = ownEntry(fields, key)
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Returns the texts of an object by their names. */
export const textsAt = (fields: Fields | undefined, key: string): [string, string][] =>
  Object.entries(fieldsAt(fields, key)).map(([name, value]) => [name, String(value ?? '')])

/** Returns whether a value is what the Engine shows for what was not set. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'object') return Object.values(value).every(isEmpty)
  return value === '' || value === 0 || value === false
}

/** Returns the attributes that have a value. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Returns the attributes, or undefined if none has a value. */
export function unlessEmpty(fields: Fields): Fields | undefined {
  const kept = present(fields)
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** Returns a list, or undefined if it is empty. */
export const unlessNone = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length > 0 ? list : undefined

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at])

/** Returns a value for a line about it: in JSON, cut. */
export const shown = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 100)

/**
 * Returns the line about an entry of `Config` or `HostConfig` that no attribute says. Its value may
 * be secret: nothing is known of it here.
 */
export const unsaid = (
  part: 'Config' | 'HostConfig',
  [name, value]: readonly [string, unknown],
  showsValues: boolean,
): string => `${part}.${name}${showsValues ? ` ${shown(value)}` : ''}: a compose file cannot say it`

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
