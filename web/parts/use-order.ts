import { useMemo } from 'preact/hooks'
import { type Column, type Sorting, sortingOf, wordAfterPress } from './columns.ts'
import { useQuery } from './query.ts'

/** The order of a list, which is in the address. */
export interface Order {
  sorting: Sorting | undefined
  /** The reader pressed the head of a column. */
  press(column: Pick<Column<never>, 'key' | 'align'>): void
}

/** Returns the order that the address asks for: `?sort=name`, or `?sort=-memory` for down. */
export function useOrder(name = 'sort'): Order {
  const [word, setWord] = useQuery(name)
  const sorting = useMemo(() => sortingOf(word), [word])
  return { sorting, press: (column) => setWord(wordAfterPress(column, sorting)) }
}
