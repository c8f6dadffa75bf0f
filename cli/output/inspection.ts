import type { Printer } from './print.ts'
import { isRecord } from './rows.ts'

/** Prints every field of a thing on a line of its own, with words for the names of its fields. */
export function showInspection(thing: object, print: Printer): void {
  const facts = Object.entries(thing).map(([field, value]) => [
    field.replaceAll('_', ' '),
    textOf(value),
  ])
  print.facts(Object.fromEntries(facts))
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ') || null
  if (!isRecord(value)) return String(value)
  return (
    Object.entries(value)
      .map(([name, one]) => `${name}=${textOf(one) ?? ''}`)
      .join(', ') || null
  )
}
