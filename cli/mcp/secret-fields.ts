import { isRecord } from '../output/rows.ts'

/** A value without secrets, and what was left out in words. */
interface Shown {
  value: unknown
  hidden: string[]
}

/**
 * Leaves out secret fields of a response, also for a token that may read them: an assistant sends
 * what it reads to its maker. A file that says of itself that it is not secret stays.
 */
export function withoutSecrets(value: unknown, fields: readonly string[]): Shown {
  if (!isRecord(value) || value.secret === false) return { value, hidden: [] }
  const there = fields.filter((name) => Object.hasOwn(value, name) && value[name] !== null)
  if (there.length === 0) return { value, hidden: [] }
  const shown = Object.entries(value).map(([name, one]) => [
    name,
    there.includes(name) ? null : one,
  ])
  return {
    value: Object.fromEntries(shown),
    hidden: [`Left out, because it may be secret: ${there.join(', ')}.`],
  }
}
