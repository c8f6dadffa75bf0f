import { useMemo } from 'preact/hooks'
import { type Column, type Sorting, sortingOf, wordAfterPress } from './columns.ts'
import { useQuery } from './query.ts'

/** The order of a list, which is in the address. */
export interface Order {
  sorting: Sorting | undefined
  /** As the address has it; empty for that of the list. */
  word: string
  /** Orders the list by a word of the address. */
  choose(word: string): void
  /** The reader pressed the head of a column. */
  press(column: Pick<Column<never>, 'key' | 'align'>): void
}

/** Returns the order that the address asks for: `?sort=name`, or `?sort=-memory` for down. */
export function useOrder(name = 'sort'): Order {
  const [word, setWord] = useQuery(name)
  const sorting = useMemo(() => sortingOf(word), [word])
  const press: Order['press'] = (column) => setWord(wordAfterPress(column, sorting))
  return { sorting, word, choose: setWord, press }
}
