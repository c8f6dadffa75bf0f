import { wrongUsage } from '../failure.ts'
import { fieldAt, fieldsOf, isRecord, rowsOf, withRows } from './rows.ts'
import { clean } from './text.ts'

/**
 * Returns a response with only these fields of each of its entries. Throws wrong usage for a field
 * that none of them has.
 */
export function pickFields(value: unknown, fields: readonly string[]): unknown {
  const rows = rowsOf(value)
  for (const field of fields) requireField('--json', field, rows)
  const pick = (row: unknown) =>
    isRecord(row)
      ? Object.fromEntries(fields.map((field) => [field, fieldAt(row, field) ?? null]))
      : row
  const isList = Array.isArray(value) || (isRecord(value) && Array.isArray(value.items))
  return isList ? withRows(value, (all) => all.map(pick)) : pick(value)
}

/** Throws wrong usage if there are rows and none of them has the field. */
export function requireField(flag: string, field: string, rows: readonly unknown[]): void {
  if (rows.length === 0 || rows.some((row) => fieldAt(row, field) !== undefined)) return
  const known = fieldsOf(rows).map(clean).join(', ')
  throw wrongUsage(`${flag}: there is no field ${JSON.stringify(field)}`, `the fields are ${known}`)
}
