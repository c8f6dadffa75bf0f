export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the entries of a list, of one host or of every host, or a single thing as a list. */
export function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return []
  return isRecord(value) && Array.isArray(value.items) ? value.items : [value]
}

/** Returns a response with other entries, or the same response if it is not a list. */
export function withRows<T>(value: T, change: (rows: readonly unknown[]) => unknown[]): T {
  if (Array.isArray(value)) return change(value) as T
  if (!isRecord(value) || !Array.isArray(value.items)) return value
  return { ...value, items: change(value.items) }
}

/** Returns the names of the fields that the rows have. */
export const fieldsOf = (rows: readonly unknown[]): string[] => [
  ...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : []))),
]

/** Returns the value at a field, or at a path of fields such as `labels.tier`. */
export function fieldAt(row: unknown, path: string): unknown {
  if (!isRecord(row)) return undefined
  if (Object.hasOwn(row, path)) return row[path]
  const [first = ''] = path.split('.')
  const rest = path.slice(first.length + 1)
  return rest !== '' && Object.hasOwn(row, first) ? fieldAt(row[first], rest) : undefined
}
