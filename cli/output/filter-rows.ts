import { wrongUsage } from '../failure.ts'
import { requireField } from './pick-fields.ts'
import { fieldAt, withRows } from './rows.ts'

interface Filter {
  field: string
  isNegated: boolean
  value: string
}

/**
 * Returns a function that removes the rows of a response that do not match. Several filters on one
 * field are alternatives; all others must match. Throws wrong usage for a text that is no filter.
 */
export function rowFilter(filters: readonly string[]): <T>(value: T) => T {
  const all = filters.map(parse)
  const fields = [...new Set(all.map(({ field }) => field))]
  const isWanted = (row: unknown) =>
    fields.every((field) => {
      const given = all.filter((one) => one.field === field)
      const excluded = given.filter((one) => one.isNegated)
      const alternatives = given.filter((one) => !one.isNegated)
      return (
        excluded.every((one) => !matches(row, one)) &&
        (alternatives.length === 0 || alternatives.some((one) => matches(row, one)))
      )
    })
  return (value) =>
    withRows(value, (rows) => {
      for (const field of fields) requireField('--filter', field, rows)
      return rows.filter(isWanted)
    })
}

function parse(text: string): Filter {
  const [, field, sign, value = ''] = /^([\w.-]+?)(!?=)(.*)$/s.exec(text) ?? []
  if (field === undefined) {
    throw wrongUsage(
      `--filter ${JSON.stringify(text)}: must be a field and a value`,
      'for example: --filter status=running, or --filter name!=test-*',
    )
  }
  return { field, isNegated: sign === '!=', value }
}

function matches(row: unknown, { field, value: wanted }: Filter): boolean {
  const value = fieldAt(row, field)
  const texts = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one ?? ''),
  )
  return texts.some((text) => isLike(text.toLowerCase(), wanted.toLowerCase()))
}

/** Returns whether a text has the parts between the `*` of a pattern, in their order. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
