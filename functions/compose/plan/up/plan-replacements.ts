import { containerName } from '../../create/labels.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { decisionOf, type ServiceDecision, temporaryName } from '../compare/decide.ts'
import { isFinishedJob } from '../compare/job.ts'
import { dependencies, namespaceServices, parentServices } from '../order.ts'
import { addStep } from '../plan-steps.ts'
import { isUp } from '../stop/service-containers.ts'
import { removeContainer, stopContainer } from '../stop/stop-container.ts'
import { planCreate } from './plan-creation.ts'
import { isNameHeld, nameFreed, type Unnamed } from './plan-renames.ts'
import { createdBy, type Planning } from './planning-state.ts'

/**
 * Adds the creation of containers. Those that replace another, or whose name another gives up, are
 * created under a temporary name.
 */
export function planCreations(planning: Planning): void {
  const { decisions, project, starts } = planning
  for (const { name: service, create, recreate } of decisions.values()) {
    for (const { number, reason, name } of create) {
      planCreate(planning, { service, number, reason, name })
      if (name !== containerName(project, service, number)) continue
      starts.push({ service, number, name, reason, after: createdBy(planning, name), fresh: true })
    }
    for (const { container: replaced, reason } of recreate) {
      const { number } = replaced
      planCreate(planning, {
        service,
        number,
        reason,
        name: temporaryName(project, replaced),
        replaced,
      })
    }
  }
}

/**
 * Adds the replacement of old containers: stop and remove the old one, rename the new one. Services
 * that restart with a dependency are stopped before its containers and started after them.
 */
export function planReplacements(planning: Planning): void {
  const restarting = restartingServices(planning)
  const lastStops = new Map<string, number[]>()
  const late = createdUnnamed(planning)
  for (const name of [...planning.decisions.keys()].reverse()) {
    const users = [...restarting.entries()]
      .filter(([, dependency]) => dependency === name)
      .flatMap(([user]) => lastStops.get(user) ?? [])
    const stops: number[] = []
    for (const { container, reason } of decisionOf(planning.decisions, name).recreate) {
      const { stop, ...replacement } = replace(planning, container, reason, users)
      if (stop !== undefined) stops.push(stop)
      if (isNameHeld(planning, replacement)) late.push(replacement)
      else rename(planning, replacement)
    }
    const dependency = restarting.get(name)
    if (dependency !== undefined) stops.push(...restart(planning, name, dependency, users))
    lastStops.set(name, stops)
  }
  for (const replacement of late) rename(planning, replacement)
}

/** A container that was created under a temporary name, and the steps before it gets its own. */
interface Replacement extends Unnamed {
  /** The temporary name. */
  name: string
  reason: string
  after: number[]
}

/** Returns the containers that replace none and whose names others give up. */
function createdUnnamed(planning: Planning): Replacement[] {
  return [...planning.decisions.values()].flatMap(({ name: service, create }) =>
    create
      .filter(({ number, name }) => name !== containerName(planning.project, service, number))
      .map((one) => ({ ...one, service, after: createdBy(planning, one.name) })),
  )
}

/** Stops and removes a container. Returns what is left to do, and the step that stops it. */
function replace(
  planning: Planning,
  old: ObservedContainer,
  reason: string,
  users: readonly number[],
): Replacement & { stop: number | undefined } {
  const { plan, project } = planning
  const temporary = temporaryName(project, old)
  const ready = createdBy(planning, temporary)
  const stop = stopContainer(planning, old, reason, [...ready, ...users])
  const moved = planning.moves.get(old.id) ?? []
  const remove = removeContainer(plan, old, reason, [stop, ...ready, ...moved])
  const { id, service, number } = old
  return { id, service, number, name: temporary, reason, after: [remove, ...ready], stop }
}

/** Gives a container its name, once nothing else has it. */
function rename(planning: Planning, replacement: Replacement): void {
  const { plan, project, starts } = planning
  const { service, number, name, reason, after } = replacement
  const to = containerName(project, service, number)
  const step = addStep(
    plan,
    { reason, service, after: [...after, nameFreed(planning, replacement)] },
    { action: 'rename', kind: 'container', name, to },
  )
  starts.push({ service, number, name: to, reason, after: [step], fresh: true })
}

/**
 * Returns the services that must restart, with the dependency that causes it. A service restarts
 * with a dependency that has `restart: true` if the dependency is recreated, restarted or moved to
 * another network. It also restarts if a service whose namespaces it shares is started again, or
 * was started after it.
 */
function restartingServices(planning: Planning): Map<string, string> {
  const restarting = new Map<string, string>()
  const moved = new Set(planning.starts.filter(({ fresh }) => !fresh).map(({ service }) => service))
  for (const { name, keep } of planning.decisions.values()) {
    const service = serviceOf(planning.project, name)
    if (!keep.some(isUp)) continue
    const parents = parentServices(service)
    const shared = namespaceServices(service)
    const cause = dependencies(service).find((dependency) => {
      const decision = planning.decisions.get(dependency)
      if (!decision) return false
      if (parents.includes(dependency) && startsAgain(planning, decision)) return true
      const isCutOff = startedSince(decision.keep, keep) || restarting.has(dependency)
      if (shared.includes(dependency) && isCutOff) return true
      const changes = decision.recreate.length > 0 || restarting.has(dependency)
      return ownEntry(service.depends_on, dependency)?.restart && (changes || moved.has(dependency))
    })
    if (cause !== undefined) restarting.set(name, cause)
  }
  return restarting
}

function startsAgain({ project }: Planning, { keep }: ServiceDecision): boolean {
  return keep.some((container) => !isUp(container) && !isFinishedJob(project, container))
}

/** Returns whether any of `containers` was started after any of `others`. */
const startedSince = (
  containers: readonly ObservedContainer[],
  others: readonly ObservedContainer[],
): boolean => {
  const times = others.filter(isUp).map(({ startedAt = Number.POSITIVE_INFINITY }) => startedAt)
  return containers.some(({ startedAt = 0 }) => startedAt > Math.min(...times))
}

function restart(
  planning: Planning,
  name: string,
  dependency: string,
  users: readonly number[],
): number[] {
  const reason = `restarts with ${dependency}`
  const stops: number[] = []
  const created = decisionOf(planning.decisions, dependency).recreate.flatMap(({ container }) =>
    createdBy(planning, temporaryName(planning.project, container)),
  )
  for (const container of decisionOf(planning.decisions, name).keep.filter(isUp)) {
    const stop = stopContainer(planning, container, reason, [...created, ...users])
    if (stop === undefined) continue
    stops.push(stop)
    const { number } = container
    const to = planning.renames.get(container.id)?.to ?? container.name
    const start = { service: name, number, name: to, reason, after: [stop], fresh: false }
    planning.starts.push({ ...start, container })
  }
  return stops
}
