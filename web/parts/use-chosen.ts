import { useSignal } from '@preact/signals'
import type { Selection } from './chosen.ts'

/** Returns a selection among the ids that exist, for as long as the component is mounted. */
export function useChosen(existing: readonly string[]): Selection {
  const chosen = useSignal<readonly string[]>([])
  const ids = chosen.value
  const known = ids.length > 0 ? new Set(existing) : undefined
  return {
    ids: known ? ids.filter((id) => known.has(id)) : ids,
    choose: (next) => {
      chosen.value = next
    },
  }
}
