import type { TakenSet } from '../records/stack-files.ts'
import type { VariableSet } from '../records/variable-set.ts'

/** The variables that a stack takes from sets, with their values. */
export interface SharedVariables {
  /** Name → the value, and the set that it is from. */
  variables: Record<string, SharedVariable>
  sets: TakenSet[]
}

export interface SharedVariable {
  value: string
  set: string
}

/** The form of the name of a variable of a set. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Variables that mean something to Compose or Docker without being named in a file. */
const reserved = /^(?:COMPOSE_|DOCKER_|(?:HOME|PATH|PWD)$)/

/**
 * Returns whether Compose or Docker reads a variable that no file names, such as
 * `COMPOSE_PROFILES`. A set has none of these: it must not change a stack that does not name its
 * variables.
 */
export const isReserved = (name: string): boolean => reserved.test(name)

/**
 * Returns the variables of sets, of which a later one takes precedence; undefined if there is none.
 */
export function mergeSets(sets: readonly VariableSet[]): SharedVariables | undefined {
  if (sets.length === 0) return undefined
  const merged = new Map<string, SharedVariable>()
  for (const { id, variables } of sets) {
    for (const [name, { value }] of Object.entries(variables)) merged.set(name, { value, set: id })
  }
  return { variables: Object.fromEntries(merged), sets: sets.map(takenSet) }
}

const takenSet = ({ id, changedAt, variables }: VariableSet): TakenSet => ({
  name: id,
  changedAt,
  savedBy: [
    ...new Map(Object.values(variables).map(({ savedBy }) => [savedBy.id, savedBy])).values(),
  ],
})

/** Returns the values of variables by their names. */
export const valuesOf = ({ variables }: Pick<SharedVariables, 'variables'>) =>
  Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]))

/** Returns the names of the sets that a stack takes, in its order. */
export const setNames = (shared: { sets: readonly TakenSet[] } | undefined): string[] =>
  shared?.sets.map(({ name }) => name) ?? []

/**
 * Returns whether a set that a stack took is another one now: its variables changed, it was deleted
 * or made again.
 *
 * @param now name → when its variables last changed
 */
export const hasChanged = (taken: readonly TakenSet[], now: ReadonlyMap<string, number>): boolean =>
  taken.some(({ name, changedAt }) => now.get(name) !== changedAt)
