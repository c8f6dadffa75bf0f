import type { Step } from '../../compose/step.ts'
import type { ContainerSummary } from '../records/container.ts'
import { type Held, isFreed } from './held.ts'

/**
 * Returns the names that steps give to containers of a stack and that other containers have, also
 * stopped ones, and no step before takes from them.
 */
export function heldNames(
  stack: string,
  steps: readonly Step[],
  containers: readonly ContainerSummary[],
): Held[] {
  const byName = new Map(containers.map((one) => [one.name, one]))
  return steps.flatMap((step): Held[] => {
    const { service } = step
    if (step.kind !== 'container' || service === null) return []
    const name = step.action === 'rename' ? step.to : step.action === 'create' ? step.name : ''
    const holder = byName.get(name)
    // The plan takes care of the containers of the service itself.
    if (!holder || (holder.stack === stack && holder.service === service)) return []
    if (isFreed(steps, step, holder.name, ['remove', 'rename'])) return []
    return [{ service, port: null, what: `the container name ${name}`, holder }]
  })
}
