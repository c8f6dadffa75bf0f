/**
 * Encodes an attribute for a config hash, or returns undefined to omit it. The hash is computed
 * over JSON text, so the order of fields is that of Compose's own model. Verified against
 * `docker compose config --hash`.
 */
export type Encode = (value: unknown) => string | undefined

/** The attributes of an object, in the order in which they are written. */
export type Fields = Record<string, Encode>

/** Omits absent, empty, zero and false values. Keys of maps are sorted by bytes. */
export const plain: Encode = (value) => (isZero(value) ? undefined : json(value))

/** Omits only absent values. Zero and false are significant. */
export const optional: Encode = (value) => (value == null ? undefined : json(value))

/** Writes the attribute in any case, as null if it is absent. */
export const always: Encode = (value) => json(value ?? null)

/** Writes a single-precision number with the fewest digits that identify it. */
export const single: Encode = (value) =>
  typeof value === 'number' && value !== 0 ? shortest(value) : undefined

/** Encodes an object with known attributes. Others, such as `x-…`, are not hashed. */
export const struct =
  (fields: Fields): Encode =>
  (value) =>
    value == null ? undefined : object(fields, value)

/** Like `struct`, but an absent object is written as an empty one. */
export const embedded =
  (fields: Fields): Encode =>
  (value) =>
    object(fields, value ?? {})

/** Encodes a list of structs. An empty list is omitted. */
export const listOf =
  (fields: Fields): Encode =>
  (value) =>
    Array.isArray(value) && value.length > 0
      ? `[${value.map((item) => object(fields, item)).join(',')}]`
      : undefined

/** Encodes a map of structs. An empty map is omitted; an entry may be null. */
export const mapOf =
  (item: Encode): Encode =>
  (value) =>
    isZero(value) ? undefined : map(value as object, (entry) => item(entry) ?? 'null')

/** Encodes an object with its fields in the given order. */
export function object(fields: Fields, value: object): string {
  const members: string[] = []
  for (const [name, encode] of Object.entries(fields)) {
    const text = encode((value as Record<string, unknown>)[name])
    if (text !== undefined) members.push(`${json(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/**
 * Encodes JSON as Go does: map keys in byte order; `<`, `>`, `&` and the line separators escaped.
 */
export function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (value !== null && typeof value === 'object') return map(value, json)
  return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, escapeCharacter)
}

const codePoint = (character: string) => character.codePointAt(0) ?? 0

/** Compares two strings by their UTF-8 bytes. */
export function compareBytes(left: string, right: string): number {
  const a = Array.from(left, codePoint)
  const b = Array.from(right, codePoint)
  for (let index = 0; ; index++) {
    const [one, other] = [a[index], b[index]]
    if (one === undefined || other === undefined) return a.length - b.length
    if (one !== other) return one - other
  }
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
  const single = Math.fround(value)
  for (let digits = 1; digits < 9; digits++) {
    const text = single.toPrecision(digits)
    if (Math.fround(Number(text)) === single) return String(Number(text))
  }
  return String(Number(single.toPrecision(9)))
}
