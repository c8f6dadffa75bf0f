import type { ComponentChildren } from 'preact'

/** A column of a table or of a grid. */
export interface Column<T> {
  key: string
  label: string
  cell: (row: T) => ComponentChildren
  /** Instead of the label, for a checkbox that chooses all rows. */
  head?: ComponentChildren
  /** `end` for figures. */
  align?: 'end'
  /** A length in a table, also `2fr` in a grid. Columns without one share the rest. */
  width?: string
  /** In the second line of a row on a phone. */
  isMinor?: boolean
  /** Whether its label stands before it there: unless told, if it is a figure. */
  isLabelled?: boolean
  /** Values to sort by. Without it the column does not sort. */
  sort?: (row: T) => string | number
}

export interface Sorting {
  key: string
  isDown: boolean
}

/** Returns the rows in the order of a column. Rows that compare equal keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  sorting: Sorting | undefined,
): readonly T[] {
  const value = columns.find(({ key }) => key === sorting?.key)?.sort
  if (!value || !sorting) return rows
  const sign = sorting.isDown ? -1 : 1
  return [...rows].sort((one, two) => sign * compare(value(one), value(two)))
}

const byWords = new Intl.Collator(undefined, { numeric: true })

function compare(one: string | number, two: string | number): number {
  if (typeof one === 'number' && typeof two === 'number') return one - two
  return byWords.compare(String(one), String(two))
}
