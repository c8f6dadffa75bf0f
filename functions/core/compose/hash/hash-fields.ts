/**
 * Which attributes go into a config hash, in which order, and when a value is left out. The order is that of the fields
 * in Compose's own model, because the hash is taken over JSON text. Checked against `docker compose config --hash`.
 */
export type Encode = (value: unknown) => string | undefined

/** Attributes of one object, in the order in which they are written. */
export type Fields = Record<string, Encode>

/** Left out when absent, empty, zero or false. Maps are written in the byte order of their keys. */
export const plain: Encode = (value) => (isZero(value) ? undefined : json(value))

/** Left out only when absent: here zero and false say something. */
export const optional: Encode = (value) => (value == null ? undefined : json(value))

/** Always written, as null when absent. */
export const always: Encode = (value) => json(value ?? null)

/** A number kept in single precision, written with the fewest digits that give it back. */
export const single: Encode = (value) =>
  typeof value === 'number' && value !== 0 ? shortest(value) : undefined

/** An object with known attributes; others (`x-…`) are not part of a hash. */
export const struct =
  (fields: Fields): Encode =>
  (value) =>
    value == null ? undefined : object(fields, value)

/** A struct that is written even when nothing was said. */
export const embedded =
  (fields: Fields): Encode =>
  (value) =>
    object(fields, value ?? {})

/** A list of structs, left out when empty. */
export const listOf =
  (fields: Fields): Encode =>
  (value) =>
    Array.isArray(value) && value.length > 0
      ? `[${value.map((item) => object(fields, item)).join(',')}]`
      : undefined

/** A map of structs, left out when empty; an entry may be null. */
export const mapOf =
  (item: Encode): Encode =>
  (value) =>
    isZero(value) ? undefined : map(value as object, (entry) => item(entry) ?? 'null')

/** Writes an object with its fields in their order. */
export function object(fields: Fields, value: object): string {
  const members: string[] = []
  for (const [name, encode] of Object.entries(fields)) {
    const text = encode((value as Record<string, unknown>)[name])
    if (text !== undefined) members.push(`${json(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** JSON as Go writes it: keys of maps in byte order, `<`, `>`, `&` and the line separators escaped. */
export function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (value !== null && typeof value === 'object') return map(value, json)
  return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, escapeCharacter)
}

/** Compares two texts by their UTF-8 bytes. */
export function compareBytes(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = a[index]!.codePointAt(0)! - b[index]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function map(value: object, write: (entry: unknown) => string): string {
  const entries = Object.entries(value).sort(([left], [right]) => compareBytes(left, right))
  return `{${entries.map(([key, entry]) => `${json(key)}:${write(entry)}`).join(',')}}`
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isZero(value: unknown): boolean {
  if (value == null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function shortest(value: number): string {
  const wanted = Math.fround(value)
  for (let digits = 1; digits < 9; digits++) {
    const text = wanted.toPrecision(digits)
    if (Math.fround(Number(text)) === wanted) return String(Number(text))
  }
  return String(Number(wanted.toPrecision(9)))
}
