import { forbidden } from '../errors.ts'
import { getContainerId } from '../hosts/container-id.ts'
import type { Engine } from '../ports/engine.ts'
import type { Caller } from '../records/account.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { Installation } from '../records/installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { type Asking, lacks, type OwnerKind, type Verb } from './rights.ts'

/** Returns what the rights of a caller mean for what has an owner. */
export const askingOf = ({ permissions, scopeTags }: Caller): Asking => ({
  may: (permission) => permissions.has(permission),
  hasEveryHost: scopeTags.length === 0,
})

/** Returns whether a container is the installation's. All others are equal to these verbs. */
export const ownerOfContainer = (
  id: string,
  { containers }: Pick<Installation, 'containers'>,
): Exclude<OwnerKind, 'stack'> => (containers.has(id) ? 'installation' : 'foreign')

/**
 * Checks that a caller may do something with a container, and returns its owner. What changes or
 * enters a container is checked by the Engine port; here are the rights that depend on the caller.
 *
 * @throws 403 if the caller may not see it, 409 if no account may do it, 404 if there is none
 */
export async function checkContainer(
  verb: keyof typeof ofLabelled,
  named: string,
  caller: Caller,
  engine: Engine,
): Promise<OwnerKind> {
  const installation = await engine.installation()
  if (installation.containers.size === 0) return 'foreign'
  const id = await getContainerId(engine, named)
  const owner = ownerOfContainer(id, installation)
  const isLabelled = installation.containers.get(id) === 'labelled'
  const asked = isLabelled ? ofLabelled[verb] : verb
  const lacking = lacks(asked, owner, askingOf(caller))
  if (lacking === 'refused') throw installationRefusal(`container ${named}`)
  if (lacking) throw forbidden(`container ${named}: it is a part of this service; ${settings}`)
  return owner
}

/** A label may also come from a mistake: what it added can be started, stopped and removed. */
const ofLabelled = {
  inspect: 'inspect',
  logs: 'logs',
  start: 'start-labelled',
  stop: 'stop-labelled',
  remove: 'stop-labelled',
} as const satisfies Record<string, Verb>

const settings = 'this needs the permission settings:manage, and an account without scope tags'

/** Returns those of the containers whose logs and processes a caller may see. */
export async function readableContainers<C extends { id: string }>(
  containers: readonly C[],
  verb: 'inspect' | 'logs',
  caller: Caller,
  engine: Engine,
): Promise<C[]> {
  const installation = await engine.installation()
  const asking = askingOf(caller)
  return containers.filter(({ id }) => !lacks(verb, ownerOfContainer(id, installation), asking))
}

/** A container with its owner. */
export type OwnedContainer = ContainerSummary & { owner: OwnerKind }

/** Returns the owner of a container of a host. */
export function ownerOf(
  { id, stack }: Pick<ContainerSummary, 'id' | 'stack'>,
  { containers, stacks }: Installation,
): OwnerKind {
  if (containers.has(id)) return 'installation'
  return stack !== null && stacks.has(stack) ? 'stack' : 'foreign'
}

const kept = new WeakMap<
  readonly ContainerSummary[],
  { key: string; list: readonly OwnedContainer[] }
>()

/**
 * Adds owners to a list of containers. Returns the same list while neither the containers nor their
 * owners change, so that results can be cached by its identity.
 */
export function withOwners(
  containers: readonly ContainerSummary[],
  installation: Installation,
): readonly OwnedContainer[] {
  const owners = containers.map((one) => ownerOf(one, installation))
  const key = owners.join()
  const known = kept.get(containers)
  if (known?.key === key) return known.list
  const list = Object.freeze(
    containers.map((one, at) => ({ ...one, owner: owners[at] ?? ('foreign' as const) })),
  )
  kept.set(containers, { key, list })
  return list
}
