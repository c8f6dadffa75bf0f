import { isDeepStrictEqual } from 'node:util'
import { inScope } from '../access/scope.ts'
import { unprocessable } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { SharedLayer, StackFiles } from '../records/stack-files.ts'
import { hasChanged, mergeSets, type SharedVariables, setNames } from './shared-variables.ts'

/** The ports that say what sets of variables have now. */
export type SetPorts = Needs<'hosts' | 'variableSets'>

/**
 * Returns what these sets have now for the stacks of a host; undefined if there is none.
 *
 * @throws 422 if there is no such set, or it is not for the host
 */
export async function takeSets(
  names: readonly string[],
  hostId: string,
  { hosts, variableSets }: SetPorts,
): Promise<SharedVariables | undefined> {
  if (names.length === 0) return undefined
  const [host, all] = await Promise.all([hosts.find(hostId), variableSets.list()])
  const known = new Map(all.map((set) => [set.id, set]))
  const sets = names.map((name) => {
    const set = known.get(name)
    if (set && inScope(set.tags, host ?? { tags: [] })) return set
    throw unprocessable(
      `shared_variables: there is no set ${name} for the stacks of host ${host?.name ?? hostId}: leave it out, or give it a tag of the host`,
    )
  })
  return mergeSets(sets)
}

/** Stores what a stack takes from sets. */
export async function storeShared(
  { variables, sets }: SharedVariables,
  { texts }: Needs<'texts'>,
): Promise<SharedLayer> {
  return { variables: await texts.put(JSON.stringify(variables)), sets }
}

/** Returns what a stack took from sets. */
export async function readShared(
  { variables, sets }: SharedLayer,
  { texts }: Needs<'texts'>,
): Promise<SharedVariables> {
  return { variables: JSON.parse(await texts.get(variables)), sets }
}

/**
 * Returns files with what their sets have now. Stores the variables as a text that no record names
 * yet, if they changed.
 *
 * @throws what `takeSets` throws
 */
export async function withCurrentSets(
  files: StackFiles,
  hostId: string,
  ports: SetPorts & Needs<'texts'>,
): Promise<StackFiles> {
  const taken = await takeSets(setNames(files.shared), hostId, ports)
  if (!taken || isDeepStrictEqual(taken.sets, files.shared?.sets)) return files
  return { ...files, shared: await storeShared(taken, ports) }
}

/** Returns whether the sets of a stack changed since it took them. */
export type SetChanges = (stack: Pick<StackRecord, 'deployed' | 'files'>) => boolean

/** Reads the sets once, if one of the stacks takes any. */
export async function setChanges(
  stacks: readonly Pick<StackRecord, 'files'>[],
  { variableSets }: Needs<'variableSets'>,
): Promise<SetChanges> {
  if (!stacks.some(({ files }) => files.shared)) return () => false
  const now = new Map((await variableSets.list()).map(({ id, changedAt }) => [id, changedAt]))
  return ({ deployed, files }) => deployed && hasChanged(files.shared?.sets ?? [], now)
}
