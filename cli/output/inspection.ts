import type { Printer } from './print.ts'
import { isRecord } from './rows.ts'

/** Prints each field of a record on its own line, with readable field names. */
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
