import { parseBytes, parseDuration, printDuration, toFloat32 } from '../units.ts'
import { printValue } from '../yaml/print-value.ts'
import { Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { emptyMap, isMap } from '../yaml/tree.ts'
import { splitWords } from './shell-words.ts'

/** Converts a value in long form to its form in the model, or returns undefined to omit it. */
export type Form = (value: Tree, path: Path) => unknown

const refuse = (path: Path, detail: string): never => {
  throw new Problem('decode', detail, { path })
}

/** An attribute that is kept even if it is empty, false or 0. */
export const always =
  (form: (value: Tree, path: Path) => unknown): Form =>
  (value, path) =>
    value === null ? undefined : form(value, path)

/** An attribute that is omitted if it is empty, false or 0. */
const filled =
  (form: Form): Form =>
  (value, path) => {
    if (value === null) return undefined
    const bound = form(value, path)
    const empty =
      bound === '' || bound === 0 || bound === false || (Array.isArray(bound) && bound.length === 0)
    return empty || isEmptyMap(bound) ? undefined : bound
  }

const isEmptyMap = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0

const toText: Form = (value, path) =>
  typeof value === 'object' ? refuse(path, 'must be a string') : printValue(value)
const toBoolean: Form = (value, path) => {
  if (typeof value === 'boolean') return value
  const text = printValue(value).toLowerCase()
  return text === 'true' || (text !== 'false' && refuse(path, 'must be true or false'))
}
const toInteger: Form = (value, path) => {
  const number =
    typeof value === 'number' ? Math.trunc(value) : Number(printValue(value) || Number.NaN)
  return Number.isInteger(number) ? number : refuse(path, 'must be an integer')
}
const toUnsigned: Form = (value, path) => {
  const number = toInteger(value, path) as number
  return number >= 0 ? number : refuse(path, 'must not be negative')
}
const toFloat: Form = (value, path) => {
  const number = typeof value === 'number' ? value : Number(printValue(value) || Number.NaN)
  return Number.isFinite(number) ? toFloat32(number) : refuse(path, 'must be a number')
}
const toBytes: Form = (value, path) => {
  const text = printValue(value)
  const bytes = typeof value === 'number' ? BigInt(Math.trunc(value)) : parseBytes(text)
  if (bytes === undefined) return refuse(path, `not a size: "${text}"`)
  return bytes === 0n ? '' : bytes.toString()
}
const toDuration: Form = (value, path) => {
  const text = printValue(value)
  const duration = parseDuration(text)
  return duration === undefined
    ? refuse(path, `not a duration: "${text}" (as 1m30s)`)
    : printDuration(duration)
}

export const text = filled(toText)
export const boolean = filled(toBoolean)
export const setBoolean = always(toBoolean)
export const integer = filled(toInteger)
export const setInteger = always(toInteger)
/** Like `integer` and `setInteger`, but rejects negative numbers. */
export const unsigned = filled(toUnsigned)
export const setUnsigned = always(toUnsigned)
export const float = filled(toFloat)
export const bytes = filled(toBytes)
export const duration = always(toDuration)
/** A duration that is omitted if it is 0. */
export const nonZeroDuration: Form = (value, path) => {
  const printed = duration(value, path)
  return printed === '0s' ? undefined : printed
}

/** A list of strings. A single value becomes a list. */
export const texts = filled((value, path) =>
  (Array.isArray(value) ? value : [value]).map((item, index) => toText(item, [...path, index])),
)

/** A list whose entries have the given form. */
export const listOf = (form: Form) =>
  filled((value, path) =>
    Array.isArray(value)
      ? value.map((item, index) => form(item, [...path, index]))
      : refuse(path, 'must be a list'),
  )

/** A mapping whose values have the given form. A null value stays null. */
export const mapOf = (form: Form) =>
  filled((value, path) => {
    if (!isMap(value)) return refuse(path, 'must be a mapping')
    const bound = emptyMap<unknown>()
    for (const [key, child] of Object.entries(value)) {
      bound[key] = child === null ? null : form(child, [...path, key])
    }
    return bound
  })

/**
 * Accepts `{key: value}` or `[key=value]` and returns a mapping of strings. `missing` is the value
 * of a key without one.
 */
const pairs = (missing: string | null) =>
  filled((value, path) => {
    const bound = emptyMap<string | null>()
    if (isMap(value)) {
      for (const [key, child] of Object.entries(value)) {
        bound[key] = child === null ? missing : (toText(child, [...path, key]) as string)
      }
      return bound
    }
    for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
      const pair = printValue(item)
      const equals = pair.indexOf('=')
      const key = equals < 0 ? pair : pair.slice(0, equals)
      if (key === '__proto__') refuse([...path, index], 'a key must not be "__proto__"')
      bound[key] = equals < 0 ? missing : pair.slice(equals + 1)
    }
    return bound
  })

export const mapping = pairs('')
const nullableMapping = pairs(null)

/**
 * Environment variables. A key without a value becomes null; a key with trailing white space is
 * rejected.
 */
export const environment: Form = (value, path) => {
  const bound = nullableMapping(value, path) as Record<string, string | null> | undefined
  const spaced = Object.keys(bound ?? {}).find((key) => /\s$/.test(key))
  if (spaced === undefined) return bound
  return refuse(path, `environment variable ${spaced.trimEnd()} is declared with a trailing space`)
}

/** A command. `null` selects the image's command; an empty list overrides it with none. */
export const command: Form = (value, path) => {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item, index) => toText(item, [...path, index]))
  const words = splitWords(toText(value, path) as string)
  return words ?? refuse(path, 'a quote or a parenthesis is left open')
}

/** File permissions: a number as YAML parsed it, or a string of octal digits. */
export const fileMode = always((value, path) => {
  const mode = typeof value === 'number' ? value : Number.parseInt(printValue(value), 8)
  const valid =
    Number.isInteger(mode) &&
    mode >= 0 &&
    (typeof value === 'number' || /^[0-7]+$/.test(printValue(value)))
  return valid ? `0${mode.toString(8)}` : refuse(path, `not a file mode: "${printValue(value)}"`)
})

/**
 * An object whose attributes have the given forms. Extensions and unknown attributes are dropped.
 */
export const object = (
  forms: Record<string, Form>,
  initial: Record<string, unknown> = {},
): Form => {
  const places = new Map(
    Object.entries(forms).map(([key, form], place) => [key, { key, form, place }]),
  )
  return always((value, path) => {
    if (!isMap(value)) return refuse(path, 'must be a mapping')
    const bound: Record<string, unknown> = { ...initial }
    // A service sets only a few of its hundred attributes, so iterate over those present.
    const there = Object.keys(value).flatMap((key) => places.get(key) ?? [])
    for (const { key, form } of there.sort((one, other) => one.place - other.place)) {
      const child = value[key]
      const part = child === undefined ? undefined : form(child, [...path, key])
      if (part !== undefined) bound[key] = part
    }
    return bound
  })
}
