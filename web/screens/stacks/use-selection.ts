import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useQuery } from '../../frame/address.ts'

/** What is chosen in a list, by name. It is in the address. */
export interface Selection {
  /** Those that still exist. */
  names: readonly string[]
  toggle(name: string): void
  choose(names: readonly string[]): void
  clear(): void
}

/** Returns the selection among the names that exist. Names of stacks have no comma. */
export function useSelection(existing: ReadonlySignal<readonly string[]>): Selection {
  const [words, set] = useQuery('selected')
  const all = existing.value
  const names = useMemo(() => {
    const known = new Set(all)
    return words.split(',').filter((name) => known.has(name))
  }, [words, all])
  const choose = (chosen: readonly string[]) => set(chosen.join(','))
  return {
    names,
    choose,
    clear: () => choose([]),
    toggle: (name) =>
      choose(names.includes(name) ? names.filter((one) => one !== name) : [...names, name]),
  }
}
