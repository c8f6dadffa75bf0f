import type { z } from 'zod'
import { invalid } from '../core/errors.ts'

/** Most problems that one response names. */
const shownMax = 10

type Where = 'path' | 'query' | 'body'

/**
 * Returns the value as parsed by the schema.
 *
 * @throws 400 naming up to ten invalid fields as the caller wrote them
 *   (`body.sources[0].name: is required`), without repeating what was sent
 */
export function check(schema: z.ZodType | undefined, value: unknown, where: Where): any {
  if (!schema) return undefined
  const result = schema.safeParse(value, { error: wording })
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, shownMax)
  throw invalid(
    issues.map((issue) => `${placeOf(issue, where)}: ${textOf(issue, where)}`).join('; '),
  )
}

function placeOf({ path }: z.core.$ZodIssue, where: Where): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return where + steps.join('')
}

function textOf(issue: z.core.$ZodIssue, where: Where): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const names = issue.keys.slice(0, shownMax).map((key) => JSON.stringify(key.slice(0, 100)))
  return `unknown ${where === 'query' ? 'parameter' : 'field'} ${names.join(', ')}`
}

/** Messages for checks whose schema has none of its own. For the rest zod's messages apply. */
const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${kinds[issue.expected] ?? `of type ${issue.expected}`}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      return `must ${sizeOf(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_format':
      return 'has an invalid format'
    case 'invalid_union':
      return 'matches none of the allowed forms'
    default:
      return undefined
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${size} characters`
  if (origin === 'array' || origin === 'set') return `have ${bound} ${size} entries`
  return `be ${bound} ${size}`
}
