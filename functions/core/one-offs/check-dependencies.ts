import { serviceOf } from '../../compose/lookup.ts'
import { parentServices } from '../../compose/plan/order.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import { conflict } from '../errors.ts'

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

/**
 * Checks that the services that a service depends on are up, under the conditions of its
 * `depends_on`. They are not started: that is a deployment, with a record of its own.
 *
 * @throws 409 that names the first one that is not
 */
export function checkDependencies(
  project: Project,
  name: string,
  containers: readonly ObservedContainer[],
): void {
  for (const [other, { condition, required }] of Object.entries(
    serviceOf(project, name).depends_on ?? {},
  )) {
    const own = containers.filter(({ service, oneoff }) => service === other && !oneoff)
    const isMet = own.some((container) => fulfils(container, condition as Condition))
    if (isMet || required === false) continue
    throw conflict(
      `service ${other}, which ${name} depends on, is not ${wanted[condition as Condition]}: ` +
        'deploy it first, or set `dependencies` to false',
      { reason: 'conflict' },
    )
  }
}

const wanted: Record<Condition, string> = {
  service_started: 'running',
  service_healthy: 'healthy',
  service_completed_successfully: 'completed',
}

function fulfils({ state, health, exitCode }: ObservedContainer, condition: Condition): boolean {
  if (condition === 'service_completed_successfully') return state === 'exited' && exitCode === 0
  if (condition === 'service_healthy') return state === 'running' && health === 'healthy'
  return state === 'running'
}

/**
 * Returns the IDs of the containers whose namespaces or volumes a service uses, by service.
 *
 * @throws 409 if one of these services has no container
 */
export function parentIds(
  project: Project,
  name: string,
  containers: readonly ObservedContainer[],
): Record<string, string> {
  const entries = parentServices(serviceOf(project, name)).map((parent) => {
    const [first] = containers
      .filter(({ service, oneoff }) => service === parent && !oneoff)
      .sort((one, other) => one.number - other.number)
    if (first) return [parent, first.id] as const
    throw conflict(`service ${parent}, whose container ${name} joins, has no container`, {
      reason: 'conflict',
    })
  })
  return Object.fromEntries(entries)
}
