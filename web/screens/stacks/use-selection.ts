import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useQuery } from '../../frame/address.ts'
import type { Selection } from '../../parts/chosen.ts'

/**
 * Returns the selection among the names that exist. It is in the address; names of stacks have no
 * comma.
 */
export function useSelection(existing: ReadonlySignal<readonly string[]>): Selection {
  const [words, set] = useQuery('selected')
  const all = existing.value
  const ids = useMemo(() => {
    const known = new Set(all)
    return words.split(',').filter((name) => known.has(name))
  }, [words, all])
  return { ids, choose: (chosen) => set(chosen.join(',')) }
}
