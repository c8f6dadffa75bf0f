import type { ComponentChildren } from 'preact'

/** A column of a list. */
export interface Column<T> {
  key: string
  label: string
  cell: (row: T) => ComponentChildren
  /** `end` for figures. */
  align?: 'end'
  /**
   * A length, in a list that is always windowed also `2fr`. Columns without one share the rest.
   */
  width?: string
  /** In the second line of a row on a phone. */
  isMinor?: boolean
  /** Whether its label stands before it there: unless told, if it is a figure. */
  isLabelled?: boolean
  /**
   * Values to sort by; rows without one come last. Without this function the column does not sort.
   */
  sort?: (row: T) => SortValue
}

export type SortValue = string | number | undefined

export interface Sorting {
  key: string
  isDown: boolean
}

/** Returns the order that a word of the address stands for: `name`, or `-name` for down. */
export function sortingOf(word: string): Sorting | undefined {
  const [, minus, key] = /^(-?)(.+)$/.exec(word) ?? []
  return key === undefined ? undefined : { key, isDown: minus === '-' }
}

/**
 * Returns the word for the order after a press on the head of a column: up, down, then that of the
 * list again. Figures and times begin with the greatest.
 */
export function wordAfterPress(
  { key, align }: Pick<Column<never>, 'key' | 'align'>,
  sorting: Sorting | undefined,
): string {
  const words = align === 'end' ? [`-${key}`, key, ''] : [key, `-${key}`, '']
  const current = sorting?.key === key ? `${sorting.isDown ? '-' : ''}${key}` : ''
  return words[(words.indexOf(current) + 1) % words.length] ?? ''
}

/** Returns every order of a list, in the order of its columns. Figures begin with the greatest. */
export const orderWordsOf = <T>(
  columns: readonly Column<T>[],
): { word: string; label: string; isDown: boolean }[] =>
  columns
    .filter(({ sort }) => sort)
    .flatMap(({ key, label, align }) => {
      const up = { word: key, label, isDown: false }
      const down = { word: `-${key}`, label, isDown: true }
      return align === 'end' ? [down, up] : [up, down]
    })

/** Returns what an order sorts rows by, or undefined if no column has it. */
export const sortValueIn = <T>(
  columns: readonly Column<T>[],
  sorting: Sorting | undefined,
): Column<T>['sort'] => columns.find(({ key }) => key === sorting?.key)?.sort

/** Returns the rows in the order of their values. Rows that compare equal keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  sortValue: (row: T) => SortValue,
  isDown: boolean,
): readonly T[] {
  const sign = isDown ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortValue(row) }))
    .sort(({ value: one }, { value: two }) =>
      one === undefined || two === undefined
        ? Number(one === undefined) - Number(two === undefined)
        : sign * compare(one, two),
    )
    .map(({ row }) => row)
}

const byWords = new Intl.Collator(undefined, { numeric: true })

function compare(one: string | number, two: string | number): number {
  if (typeof one === 'number' && typeof two === 'number') return one - two
  return byWords.compare(String(one), String(two))
}
