import type { FileContent } from '../../../data/stack-files.ts'

type Variable = NonNullable<FileContent['variables']>[number]

/** The names of variables by where they are from, separated by commas. */
export interface Origins {
  /** Kept in the service in place of those of the source. */
  covering: string
  /** Kept in the service, and not in the source. */
  added: string
  /** Only in a shared set, by its name. */
  sets: { set: string; names: string }[]
  /** In `.env`, in place of those of a shared set. */
  coversSet: string
}

/** Sorts the variables of a stack by where they are from. */
export function originsOf(variables: readonly Variable[]): Origins {
  const own = variables.filter(({ origin }) => origin === 'service')
  const names = (some: readonly Variable[]) => some.map(({ name }) => name).join(', ')
  const bySet = new Map<string, Variable[]>()
  for (const variable of variables) {
    const { origin, set } = variable
    if (origin !== 'shared' || set === undefined) continue
    bySet.set(set, [...(bySet.get(set) ?? []), variable])
  }
  const coversSet = variables.filter(({ origin, set }) => origin !== 'shared' && set !== undefined)
  return {
    covering: names(own.filter(({ covers }) => covers)),
    added: names(own.filter(({ covers }) => !covers)),
    sets: [...bySet].map(([set, some]) => ({ set, names: names(some) })),
    coversSet: names(coversSet),
  }
}
