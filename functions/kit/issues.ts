import type { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { alternatives, expectation, formats, sizeOf } from './expectation.ts'
import { choicesOf, fieldsOf, keysOf, optionFor, optionsOf, schemaAt } from './schema-path.ts'

/** The maximum number of problems that one response names. */
const shownMax = 10

type Where = 'path' | 'query' | 'body'
type Issue = z.core.$ZodIssue

/** What issues are about: a schema, the value that it was given, and where that value is. */
interface Checked {
  schema: z.ZodType
  value: unknown
  where: Where
  prefix: readonly PropertyKey[]
}

/**
 * Returns the value as parsed by the schema.
 *
 * @throws 400 naming up to ten invalid fields as the caller wrote them, each once, and what is
 *   allowed (`body.sources[0].name: must be a string`), without repeating what was sent
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, where: Where): z.output<S> {
  const result = schema.safeParse(value, { error: () => unworded })
  if (result.success) return result.data
  const checked = { schema, value, where, prefix: [] }
  const problems = [...firstProblems(result.error.issues, checked)]
  throw invalid(problems.map(([place, text]) => `${place}: ${text}`).join('; '))
}

/** Returns the first problem of each place: what a value must be is often two checks that agree. */
function firstProblems(issues: readonly Issue[], checked: Checked): Map<string, string> {
  const found = new Map<string, string>()
  for (const issue of issues) {
    for (const [place, text] of problemsOf(issue, checked)) {
      if (found.size < shownMax && !found.has(place)) found.set(place, text)
    }
    if (found.size >= shownMax) break
  }
  return found
}

/** Stands for the message of a check whose schema has none of its own. */
const unworded = '\0'

function problemsOf(issue: Issue, checked: Checked): Iterable<[place: string, text: string]> {
  const inside = issue.code === 'invalid_union' && insideOption(issue, checked)
  if (inside) return firstProblems(inside.issues, inside)
  const place = placeOf([...checked.prefix, ...issue.path], checked.where)
  return [[place, textOf(issue, checked)]]
}

/** Returns what is wrong inside the option of a union that the value has the type of, if any. */
function insideOption(
  { errors, path }: z.core.$ZodIssueInvalidUnion,
  { schema, value, where, prefix }: Checked,
): (Checked & { issues: readonly Issue[] }) | undefined {
  const chosen = errors.findIndex(isAboutContent)
  const issues = errors[chosen]
  const union = schemaAt(schema, path, value)
  const option = union && optionsOf(union)[chosen]
  if (!issues || !option) return undefined
  const place = { where, prefix: [...prefix, ...path] }
  return { schema: option, value: valueAt(value, path), ...place, issues }
}

const isAboutContent = (issues: readonly Issue[]) =>
  issues.length > 0 && issues.every(({ code, path }) => path.length > 0 || code !== 'invalid_type')

function placeOf(path: readonly PropertyKey[], where: Where): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return where + steps.join('')
}

function textOf(issue: Issue, { schema, value, where }: Checked): string {
  if (issue.message !== unworded) return issue.message
  const { path } = issue
  const at = schemaAt(schema, path, value)
  if (issue.code === 'invalid_type' && valueAt(value, path) === undefined) return 'is required'
  const own = at && optionFor(at, valueAt(value, path))
  if (issue.code === 'unrecognized_keys') return unknownText(issue.keys, fieldsOf(own), where)
  if (issue.code === 'invalid_value') return `must be ${alternatives(issue.values)}`
  if (issue.code === 'invalid_format') {
    return `must be ${formats[issue.format] ?? `in the format ${issue.format}`}`
  }
  const parent = schemaAt(schema, path.slice(0, -1), value)
  const last = String(path.at(-1))
  if (issue.code === 'invalid_key') return keyText(issue.issues[0], parent)
  if (issue.code === 'invalid_union' && parent && issue.errors.length === 0) {
    return `must be ${alternatives(choicesOf(parent, last))}`
  }
  const size = own && /^too_/.test(issue.code) ? sizeOf(own) : ''
  if (size) return `must have ${size}`
  return at ? `must be ${expectation(at)}` : 'is not allowed'
}

/** Returns the part of a value at a path. */
const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((one, step) => (one as Record<PropertyKey, unknown> | null)?.[step], value)

function unknownText(keys: readonly string[], known: string[] | undefined, where: Where): string {
  const names = keys.slice(0, shownMax).map((key) => JSON.stringify(key.slice(0, 100)))
  const kind = where === 'query' ? 'parameter' : 'field'
  const allowed = known && known.length > 0 ? `allowed: ${known.join(', ')}` : 'none is allowed'
  return `unknown ${kind} ${names.join(', ')}; ${allowed}`
}

function keyText(issue: Issue | undefined, record: z.ZodType | undefined): string {
  if (issue && issue.message !== unworded) return `the name ${issue.message}`
  const keys = record && keysOf(record)
  return keys ? `the name must be ${expectation(keys)}` : 'the name is not allowed'
}
