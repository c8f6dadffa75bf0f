import { configContents } from '../../create/file-objects.ts'
import { containerName, label } from '../../create/labels.ts'
import { unprocessable } from '../../errors.ts'
import { acceptsHash } from '../../hash/hash.ts'
import { networkOf, ownEntry, serviceOf } from '../../lookup.ts'
import { must } from '../../must.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Resolved, Snapshot } from '../../snapshot.ts'
import { imageOf, scaleOf, volumeKeys } from '../../used-resources.ts'
import { imageChanged } from '../fetch/plan-fetches.ts'
import { parentServices } from '../order.ts'
import { withParentIds } from './parents.ts'
import { hashedService } from './pinned.ts'

/** The reason to replace a container that was created from another configuration. */
export const configChanged = 'config changed'

/** The changes to the containers of a service. */
export interface ServiceDecision {
  name: string
  /** Up to date: not changed, but started if they do not run. */
  keep: ObservedContainer[]
  recreate: { container: ObservedContainer; reason: string }[]
  remove: { container: ObservedContainer; reason: string }[]
  /** The containers to create, with their names at creation. */
  create: { number: number; name: string; reason: string }[]
}

/** The information on which decisions are based. */
export interface Evidence {
  project: Project
  snapshot: Snapshot
  resolved: Resolved
  /**
   * Key → ID of the network. For a network that will be replaced this is the old ID; for one that
   * will be created it is undefined.
   */
  networkIds: Record<string, string | undefined>
  forceRecreate: boolean
}

/** The decisions so far, in dependency order. */
export type Decisions = ReadonlyMap<string, ServiceDecision>

/** Returns the decision on a service that was decided before. */
export const decisionOf = (decisions: Decisions, name: string): ServiceDecision =>
  must(decisions.get(name), `decision on service ${name}`)

/** Compares a service with its containers. `decisions` must include all services it depends on. */
export function decide(evidence: Evidence, name: string, decisions: Decisions): ServiceDecision {
  const observed = evidence.snapshot.containers.filter(
    (container) => container.service === name && !container.oneoff,
  )
  const judged = observed
    .map((container) => judge(evidence, name, container, decisions))
    .sort(worstFirst)
  const doubles = judged.filter((one, index) =>
    judged.slice(index + 1).some((better) => better.container.number === one.container.number),
  )
  const singles = judged.filter((one) => !doubles.includes(one))
  const scale = scaleOf(serviceOf(evidence.project, name))
  const surplus = Math.max(0, singles.length - scale)
  const rest = singles.slice(surplus).sort((a, b) => a.container.number - b.container.number)
  const change = singles.length === 0 ? 'no container' : `scale ${singles.length} to ${scale}`
  const next = Math.max(0, ...observed.map((container) => container.number)) + 1
  return {
    name,
    keep: rest.filter(({ reason }) => reason === undefined).map(({ container }) => container),
    recreate: rest.flatMap(({ container, reason }) => (reason ? [{ container, reason }] : [])),
    remove: [
      ...doubles.map(({ container }) => ({ container, reason: 'left by an interrupted deploy' })),
      ...singles.slice(0, surplus).map(({ container }) => ({ container, reason: change })),
    ],
    create: Array.from({ length: Math.max(0, scale - singles.length) }, (_, index) => ({
      number: next + index,
      name: creationName(evidence, name, next + index),
      reason: change,
    })),
  }
}

interface Judged {
  container: ObservedContainer
  /** Why it must be recreated; undefined if it is up to date. */
  reason: string | undefined
  misnamed: boolean
}

function judge(
  evidence: Evidence,
  name: string,
  container: ObservedContainer,
  decisions: Decisions,
): Judged {
  return {
    container,
    reason: obsolete(evidence, name, container, decisions),
    misnamed: container.name !== containerName(evidence.project, name, container.number),
  }
}

/**
 * Sorts containers in the order in which they are removed: outdated ones first, then by descending
 * number.
 */
function worstFirst(left: Judged, right: Judged): number {
  return (
    Number(right.reason !== undefined) - Number(left.reason !== undefined) ||
    right.container.number - left.container.number ||
    Number(right.misnamed) - Number(left.misnamed)
  )
}

/**
 * The container of a service that others join: its ID, or the name under which the plan creates it.
 */
export type Parent = { id: string } | { pending: string }

/** Returns the container of each service whose namespaces or volumes this one uses. */
export function parentsOf(
  project: Project,
  name: string,
  decisions: Decisions,
): Record<string, Parent> {
  const parents: Record<string, Parent> = {}
  for (const parent of parentServices(serviceOf(project, name))) {
    parents[parent] = firstContainer(project, name, decisions.get(parent))
  }
  return parents
}

/**
 * Returns the name under which a container is created that replaces none: a temporary one, if a
 * container of another service has its name and is replaced by one with another name.
 */
function creationName({ project, snapshot }: Evidence, service: string, number: number): string {
  const name = containerName(project, service, number)
  const holder = snapshot.containers.find((one) => one.name === name && one.service !== service)
  if (!holder || holder.oneoff || !ownEntry(project.services, holder.service)) return name
  const isGivenUp = containerName(project, holder.service, holder.number) !== name
  return isGivenUp ? `${holder.id.slice(0, 12)}_${name}` : name
}

/** Returns the temporary name of a container that replaces another. */
export function temporaryName(project: Project, replaced: ObservedContainer): string {
  return `${replaced.id.slice(0, 12)}_${containerName(project, replaced.service, replaced.number)}`
}

function firstContainer(
  project: Project,
  user: string,
  decision: ServiceDecision | undefined,
): Parent {
  const kept = decision?.keep ?? []
  const replaced = (decision?.recreate ?? []).map(({ container }) => container)
  const [first] = [...kept, ...replaced].sort((left, right) => left.number - right.number)
  if (first) {
    return kept.includes(first) ? { id: first.id } : { pending: temporaryName(project, first) }
  }
  const made = decision?.create[0]
  if (!decision || !made) {
    throw unprocessable(`services.${user}: the service whose container it joins has no container`)
  }
  return { pending: made.name }
}

function obsolete(
  evidence: Evidence,
  name: string,
  container: ObservedContainer,
  decisions: Decisions,
): string | undefined {
  const { project, resolved } = evidence
  if (container.state === 'dead') return 'container dead'
  if (container.isTakenOver) return 'taken over'
  if (evidence.forceRecreate) return 'forced'
  const ids: Record<string, string> = {}
  for (const [service, parent] of Object.entries(parentsOf(project, name, decisions))) {
    if ('pending' in parent) return 'parent recreated'
    ids[service] = parent.id
  }
  const hashed = withParentIds(hashedService(project, name), ids)
  if (!acceptsHash(hashed, container.labels[label.configHash] ?? '')) return configChanged
  if (contentsChanged(project, name, container)) return configChanged
  if (imageChanged(container, ownEntry(resolved.images, imageOf(project, name))))
    return 'image changed'
  if (!onItsNetworks(evidence, name, container)) return 'network changed'
  if (!hasItsVolumes(evidence, name, container)) return 'volume missing'
  return undefined
}

/** Containers created by docker compose do not record the contents of their configs. */
function contentsChanged(project: Project, name: string, container: ObservedContainer): boolean {
  const recorded = container.labels[label.contents]
  return recorded !== undefined && recorded !== configContents(project, serviceOf(project, name))
}

/**
 * The Engine reports no network ID for a container that never ran. In that case the name has to
 * match.
 */
function onItsNetworks(evidence: Evidence, name: string, container: ObservedContainer): boolean {
  return Object.keys(serviceOf(evidence.project, name).networks ?? {}).every((key) => {
    const real = networkOf(evidence.project, key).name
    const attached = ownEntry(container.networks, real)
    if (attached === undefined) return false
    return attached === '' || attached === ownEntry(evidence.networkIds, key)
  })
}

function hasItsVolumes(evidence: Evidence, name: string, container: ObservedContainer): boolean {
  return volumeKeys(serviceOf(evidence.project, name)).every((key) => {
    const real = ownEntry(evidence.project.volumes, key)?.name ?? key
    return container.mounts.some((mount) => mount.type === 'volume' && mount.name === real)
  })
}
