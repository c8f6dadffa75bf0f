import { requirePermissions } from '../access/grant.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Saver } from '../records/stack-files.ts'
import type { VariableSet } from '../records/variable-set.ts'
import { setNames } from './shared-variables.ts'

/** The most sets that can exist. */
export const setsMax = 100
/** The most variables of a set, and the bytes of their names and values together. */
export const variablesMax = 200
const bytesMax = 64 * 1024

/** What a user changes of a set; undefined stays as it is. */
export interface SetChange {
  tags?: string[] | undefined
  /** Name → the new value, or null to delete the variable. Others stay. */
  variables?: Readonly<Record<string, string | null>> | undefined
}

/**
 * Returns a set with a change.
 *
 * @param now milliseconds since the epoch
 * @throws 400 if it would have too many variables, or too large ones
 */
export function changedSet(
  set: VariableSet,
  { tags = set.tags, variables = {} }: SetChange,
  savedBy: Saver,
  now: number,
): VariableSet {
  const next = new Map(Object.entries(set.variables))
  let isChanged = false
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) isChanged = next.delete(name) || isChanged
    else if (next.get(name)?.value !== value) {
      next.set(name, { value, savedBy })
      isChanged = true
    }
  }
  if (next.size > variablesMax) {
    throw invalid(`body.variables: the set would have more than ${variablesMax} variables`)
  }
  const bytes = [...next].reduce((sum, [name, { value }]) => sum + sizeOf(name) + sizeOf(value), 0)
  if (bytes > bytesMax) {
    throw invalid('body.variables: the set would be larger than 64 KiB')
  }
  const changedAt = isChanged ? Math.max(now, set.changedAt + 1) : set.changedAt
  return { ...set, tags, variables: Object.fromEntries(next), updatedAt: now, changedAt }
}

const sizeOf = (text: string) => Buffer.byteLength(text)

/** Returns a new set without variables. */
export const emptySet = (id: string, now: number): VariableSet => ({
  id,
  tags: [],
  variables: {},
  createdAt: now,
  updatedAt: now,
  changedAt: now,
})

/**
 * Returns the set with this name.
 *
 * @throws 404 if it does not exist
 */
export async function getSet(
  name: string,
  { variableSets }: Needs<'variableSets'>,
): Promise<Stored<VariableSet>> {
  const set = await variableSets.find(name)
  if (!set) throw notFound(`variables ${name}: there is no such set`)
  return set
}

/** Returns the names of the stacks that take each set, by its name. */
export async function stacksBySet({ stacks }: Needs<'stacks'>): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>()
  for (const { id, files } of await stacks.list()) {
    for (const name of setNames(files.shared)) users.set(name, [...(users.get(name) ?? []), id])
  }
  return users
}

/** @throws 409 if a stack takes the set */
export async function refuseTaken(name: string, ports: Needs<'stacks'>): Promise<void> {
  const [stack] = (await stacksBySet(ports)).get(name) ?? []
  if (stack === undefined) return
  throw conflict(
    `variables ${name}: stack ${stack} takes this set: first leave it out of the stack's \`shared_variables\``,
    { reason: 'in-use' },
  )
}

/**
 * Guards the tags of a host: those of a set let its stacks take the set, and read its values.
 *
 * @throws 403 if the caller adds or takes away such a tag, and may not manage sets
 */
export async function requireSetTags(
  before: readonly string[],
  after: readonly string[],
  caller: Caller,
  { variableSets }: Needs<'variableSets'>,
): Promise<void> {
  const changed = [
    ...after.filter((tag) => !before.includes(tag)),
    ...before.filter((tag) => !after.includes(tag)),
  ]
  if (changed.length === 0) return
  const named = new Set((await variableSets.list()).flatMap(({ tags }) => tags))
  const tag = changed.find((one) => named.has(one))
  if (tag === undefined) return
  requirePermissions(caller, ['variables:manage'], `tag ${tag}: a set of variables for its hosts`)
}
