import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Snapshot } from '../../snapshot.ts'
import { namespaceServices } from '../order.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import { type Origins, ownHooks } from './own-hooks.ts'
import { serviceEdges } from './plan-stop.ts'
import { containersOf, type ServiceOptions } from './service-containers.ts'
import { addHook } from './stop-container.ts'

/**
 * Plans the restart of a project's containers: of the given services, or all if the list is empty.
 * Each service restarts after its dependencies. Services that depend on a restarted one with
 * `restart: true`, or that share its namespaces, restart too. Exited containers are started, as in
 * docker compose.
 */
export function planRestart(
  snapshot: Pick<Snapshot, 'containers'>,
  project: Project | null,
  options: ServiceOptions,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const origins = { plan, project, snapshot, creators: options.creators ?? [] }
  const done = new Map<string, number[]>()
  for (const [name, needs] of serviceEdges(snapshot, project)) {
    const cause = restartCause(project, name, options.services, done)
    if (cause === undefined) continue
    const about = {
      reason: cause,
      service: name,
      after: needs.flatMap((need) => done.get(need) ?? []),
    }
    const steps = containersOf(snapshot, name).map((container) =>
      addRestart(origins, container, { ...about, timeoutSeconds: options.timeoutSeconds }),
    )
    done.set(name, steps)
  }
  return plan
}

function restartCause(
  project: Project | null,
  name: string,
  services: readonly string[],
  done: ReadonlyMap<string, number[]>,
): string | undefined {
  if (services.length === 0 || services.includes(name)) return 'restart'
  const service = ownEntry(project?.services, name)
  const wishes = Object.entries(service?.depends_on ?? {})
  const cause = wishes.find(([dependency, { restart }]) => restart && done.has(dependency))
  if (cause) return `restarts with ${cause[0]}`
  const shared = service && namespaceServices(service).find((one) => done.has(one))
  return shared && `shares a namespace of ${shared}`
}

interface RestartContext {
  reason: string
  service: string
  after: number[]
  timeoutSeconds?: number | undefined
}

/** Adds a restart between the `pre_stop` and `post_start` commands. Returns the last step. */
export function addRestart(
  origins: Origins,
  container: ObservedContainer,
  { timeoutSeconds, ...about }: RestartContext,
): number {
  const { plan } = origins
  const { name, state } = container
  let after = about.after
  for (const hook of state === 'running' ? ownHooks('pre_stop', container, origins) : []) {
    // The container must be restarted even if the hook fails.
    const command = { hook, required: false }
    after = [addHook(plan, { ...about, reason: 'pre_stop', after }, name, command)]
  }
  const call = { action: 'restart', kind: 'container', name } as const
  const timed = timeoutSeconds === undefined ? call : { ...call, timeoutSeconds }
  return addPostStart(origins, container, addStep(plan, { ...about, after }, timed))
}

/** Adds the `post_start` commands of a container after its start. Returns the last step. */
export function addPostStart(origins: Origins, container: ObservedContainer, start: number) {
  const { service, name } = container
  let last = start
  for (const hook of ownHooks('post_start', container, origins)) {
    const about = { reason: 'post_start', service, after: [last] }
    last = addHook(origins.plan, about, name, { hook, required: true })
  }
  return last
}
