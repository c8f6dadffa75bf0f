import { useCallback, useRef } from 'preact/hooks'
import { chosenAfter, type Selection, withAll, without } from './chosen.ts'

/** The boxes of a list that choose its rows. */
export interface Boxes {
  chosen: ReadonlySet<string>
  /** How many of the rows that are shown are chosen. */
  all: 'all' | 'some' | 'none'
  /** Presses the box of a row; with Shift those between it and the last one follow. */
  press: (id: string, isRange: boolean) => void
  pressAll: () => void
}

/** Returns the boxes of a list, or undefined if it has none. */
export function useBoxes(
  selection: Selection | undefined,
  items: readonly { id: string }[],
): Boxes | undefined {
  const now = useRef({ selection, items })
  now.current = { selection, items }
  const last = useRef<string | undefined>(undefined)
  // It stays the same, so that a press renders only the rows that change.
  const press = useCallback((id: string, isRange: boolean) => {
    const { selection: of, items: shown } = now.current
    const from = isRange ? last.current : undefined
    of?.choose(chosenAfter(of.ids, shown.map(idOf), { id, from }))
    last.current = id
  }, [])
  if (!selection) return undefined
  const shown = items.map(idOf)
  const chosen = new Set(selection.ids)
  const isAll = shown.length > 0 && shown.every((id) => chosen.has(id))
  return {
    chosen,
    all: isAll ? 'all' : shown.some((id) => chosen.has(id)) ? 'some' : 'none',
    press,
    pressAll: () => selection.choose((isAll ? without : withAll)(selection.ids, shown)),
  }
}

const idOf = ({ id }: { id: string }) => id
