import type { z } from 'zod'
import { choicesOf, definitionOf, listed, unwrapped } from './schema-path.ts'

/** Returns which values a schema takes, such as `a whole number from 1 to 5`. */
export function expectation(schema: z.ZodType): string {
  const { schema: own, isNullable } = unwrapped(schema)
  return isNullable ? `${wordsOf(own)} or null` : wordsOf(own)
}

function wordsOf(schema: z.ZodType): string {
  const { type, format, discriminator, options } = definitionOf(schema)
  if (type === 'enum' || type === 'literal') return alternatives(listed(schema))
  if (discriminator !== undefined) {
    const kinds = alternatives(choicesOf(schema, discriminator))
    return `an object with the ${discriminator} ${kinds}`
  }
  if (options) return options.map(expectation).join(' or ')
  const kind = (format && formats[format]) ?? kinds[type] ?? `of type ${type}`
  const size = sizeOf(schema)
  return [kind, size && `of ${size}`, rangeOf(schema)].filter(Boolean).join(' ')
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** What fits a format, in words. */
export const formats: Record<string, string> = {
  safeint: 'a whole number',
  datetime: 'a time as RFC 3339, such as 2026-06-01T12:00:00Z',
  url: 'a URL, such as https://stacks.example.org',
  email: 'an email address, such as ada@example.org',
  uuid: 'a UUID, such as 019a0000-0000-7000-8000-000000000000',
  base64: 'text in base64',
}

const checksOf = (schema: z.ZodType) => {
  const { checks = [] } = definitionOf(unwrapped(schema).schema)
  return (name: string) => checks.find(({ _zod }) => _zod.def.check === name)?._zod.def
}

/** Returns how long a string or list may be, such as `1 to 64 characters`; empty if any length. */
export function sizeOf(schema: z.ZodType): string {
  const at = checksOf(schema)
  const exact = at('length_equals')?.length
  const [min, max] = [at('min_length')?.minimum, at('max_length')?.maximum]
  const unit =
    definitionOf(unwrapped(schema).schema).type === 'array' ? units.entry : units.character
  if (exact !== undefined) return `exactly ${counted(exact, unit)}`
  if (min !== undefined && max !== undefined) return `${min} to ${counted(max, unit)}`
  if (max !== undefined) return `at most ${counted(max, unit)}`
  return min === undefined ? '' : `at least ${counted(min, unit)}`
}

const units = {
  character: ['character', 'characters'],
  entry: ['entry', 'entries'],
} as const

const counted = (count: number, [one, many]: readonly [string, string]) =>
  `${count} ${count === 1 ? one : many}`

/** Returns the range of a number, such as `from 1 to 5`; empty if there is none. */
function rangeOf(schema: z.ZodType): string {
  const at = checksOf(schema)
  const [above, below] = [at('greater_than'), at('less_than')]
  if (above?.inclusive && below?.inclusive) return `from ${above.value} to ${below.value}`
  const parts = [
    above && `${above.inclusive ? 'of at least' : 'above'} ${above.value}`,
    below && `${below.inclusive ? 'of at most' : 'below'} ${below.value}`,
  ]
  return parts.filter(Boolean).join(' and ')
}

/** Returns values as alternatives in JSON: `"a", "b" or "c"`. */
export function alternatives(values: readonly unknown[]): string {
  const texts = [...new Set(values)].map((value) => JSON.stringify(value))
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}
