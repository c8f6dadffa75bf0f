import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Resolved, Snapshot } from '../../snapshot.ts'
import { addWrite } from '../add-write.ts'
import { decide, type ServiceDecision } from '../compare/decide.ts'
import { type FetchSteps, isAnyBuilt, planFetches } from '../fetch/plan-fetches.ts'
import { serviceOrder } from '../order.ts'
import type { Plan } from '../plan-steps.ts'
import { isUp } from '../stop/service-containers.ts'
import { removeContainer, stopContainer } from '../stop/stop-container.ts'
import { decideNetworks, planNetworks, reconnect } from './plan-networks.ts'
import { planLateRenames, planRenames } from './plan-renames.ts'
import { planCreations, planReplacements } from './plan-replacements.ts'
import { planStarts } from './plan-starts.ts'
import { planVolumes } from './plan-volumes.ts'
import type { Planning, PlanOptions } from './planning-state.ts'
import { requireSupported } from './refusals.ts'
import { leftOutParents } from './select-services.ts'
import { cutOffWarnings } from './warn-cut-off.ts'

/**
 * Returns the plan that brings a project up. Each step is one Engine call with its reason and the
 * steps it waits for. The plan is empty if everything is up to date. `resolved` is the result of
 * looking up `collectReferences(project)`.
 *
 * @throws 422 that names what is missing on the host or what this Engine cannot do
 */
export function plan(
  given: Project,
  snapshot: Snapshot,
  resolved: Resolved,
  options: PlanOptions,
): Plan {
  requireSupported(given, options.apiVersion)
  const project = withoutAbsentDependencies(given)
  const order = serviceOrder(project.services)
  const result: Plan = { steps: [], warnings: [] }
  const networks = decideNetworks({ project, snapshot, resolved, options }, result.warnings)
  const networkIds = Object.fromEntries(
    Object.entries(networks).map(([key, decision]) => [key, idOf(decision)]),
  )
  const evidence = { project, snapshot, resolved, networkIds }
  const kept = leftOutParents(project, snapshot).map((one) => [one.name, one] as const)
  const joinable = new Map<string, ServiceDecision>(kept)
  const decisions = new Map<string, ServiceDecision>()
  for (const name of order) {
    const forceRecreate = options.forceRecreate && (options.named?.includes(name) ?? true)
    const decision = decide({ ...evidence, forceRecreate }, name, joinable)
    decisions.set(name, decision)
    joinable.set(name, decision)
  }

  result.warnings.push(...cutOffWarnings(project, snapshot, decisions.values()))
  const { files, fetches } = planFilesAndFetches(result, { project, resolved, options })
  const planning: Planning = {
    project,
    snapshot,
    resolved,
    options,
    decisions,
    joinable,
    files,
    fetches,
    plan: result,
    timeoutSeconds: options.timeoutSeconds,
    creators: options.creators ?? [],
    removals: new Map(),
    networks: new Map(),
    volumes: new Map(),
    seeds: new Map(),
    stops: new Map(),
    starts: [],
    created: new Map(),
    moves: new Map(),
    renames: new Map(),
  }
  planRemovals(planning)
  planNetworks(planning, networks)
  planVolumes(planning)
  planCreations(planning)
  planRenames(planning)
  reconnect(planning, networks)
  planReplacements(planning)
  planLateRenames(planning)
  if (!options.withoutStart) planStarts(planning)
  waitForFetches(result, fetches)
  return result
}

/** Builds read the project's files. Without a build, they are written once all is fetched. */
function planFilesAndFetches(
  result: Plan,
  evidence: { project: Project; resolved: Resolved; options: PlanOptions },
): { files: number | undefined; fetches: FetchSteps } {
  const { project, options } = evidence
  if (isAnyBuilt(evidence)) {
    const files = addWrite(result, project, options)
    return { files, fetches: planFetches(result, { ...evidence, files }) }
  }
  const fetches = planFetches(result, evidence)
  return { files: addWrite(result, project, options), fetches }
}

/**
 * Lets everything else wait until all images are there, as docker compose does: a pull or a build
 * that fails leaves nothing half-made on the host.
 */
function waitForFetches({ steps }: Plan, fetches: FetchSteps): void {
  const fetching = new Set(fetches.values())
  const last = Math.max(...fetching)
  const waiting = new Set<number>()
  for (const step of steps.filter(({ index }) => index > last)) {
    if (!step.after.some((other) => waiting.has(other)))
      step.after = [...new Set([...step.after, ...fetching])].sort((left, right) => left - right)
    waiting.add(step.index)
  }
}

/** Drops optional dependencies on services that do not run. They must not affect containers. */
function withoutAbsentDependencies(project: Project): Project {
  const services = Object.entries(project.services).map(([name, service]) => {
    if (!service.depends_on) return [name, service]
    const present = Object.entries(service.depends_on).filter(([key]) =>
      ownEntry(project.services, key),
    )
    const depends_on = present.length > 0 ? Object.fromEntries(present) : undefined
    return [name, { ...service, depends_on }]
  })
  return { ...project, services: Object.fromEntries(services) }
}

function idOf(decision: ReturnType<typeof decideNetworks>[string]): string | undefined {
  if (decision.kind === 'keep') return decision.id
  return decision.kind === 'replace' ? decision.network.id : undefined
}

/**
 * Plans the removal of containers beyond the scale, and of orphans if requested. Orphans are
 * removed only after all pulls and builds have succeeded.
 */
function planRemovals(planning: Planning): void {
  const { project, snapshot, options, decisions, removals, fetches } = planning
  const orphans = snapshot.containers.filter(
    ({ service, oneoff }) =>
      !oneoff &&
      !ownEntry(project.services, service) &&
      !ownEntry(project.disabled_services, service) &&
      !ownEntry(project.left_out, service),
  )
  if (options.removeOrphans) {
    // As docker compose does: a one-off container that has ended belongs to nothing any more.
    const leftovers = snapshot.containers.filter(
      ({ oneoff, state }) => oneoff && (state === 'exited' || state === 'dead'),
    )
    const all = [...orphans, ...leftovers]
    removals.set(
      null,
      all.map((container) => removal(planning, container, 'orphan', [...fetches.values()])),
    )
  }
  for (const { name, remove } of decisions.values()) {
    removals.set(
      name,
      remove.map(({ container, reason }) => removal(planning, container, reason, [])),
    )
  }
  if (orphans.length > 0 && !options.removeOrphans) {
    const names = orphans.map(({ name }) => name).sort()
    const which = `containers of services that are not in the project: ${names.join(', ')}`
    planning.plan.warnings.push(`${which}: a deploy with \`remove_orphans\` removes them`)
  }
  const resting = snapshot.containers.filter(
    (container) =>
      !container.oneoff &&
      ownEntry(project.disabled_services, container.service) !== undefined &&
      isUp(container),
  )
  if (resting.length > 0) {
    const names = resting.map(({ name }) => name).sort()
    planning.plan.warnings.push(
      `containers of services whose profiles are not active keep running: ${names.join(', ')}`,
    )
  }
}

function removal(
  planning: Planning,
  container: ObservedContainer,
  reason: string,
  after: readonly number[],
): number {
  const stop = stopContainer(planning, container, reason, after)
  return removeContainer(planning.plan, container, reason, [stop, ...after])
}
