import type { Step } from '../../compose/step.ts'
import type { ContainerSummary } from '../records/container.ts'
import { type Held, isFreed } from './held.ts'

/**
 * Returns the container names that the steps need and another container has, running or not. A name
 * that an earlier step frees, by removing or renaming that container, is left out.
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
    const name = nameGivenBy(step)
    const holder = name === undefined ? undefined : byName.get(name)
    // The plan takes care of the containers of the service itself.
    if (!holder || (holder.stack === stack && holder.service === service)) return []
    if (isFreed(steps, step, holder.name, ['remove', 'rename'])) return []
    return [{ service, port: null, what: `the container name ${name}`, holder }]
  })
}

/** Returns the name that a step gives to a container, if it gives one. */
function nameGivenBy(step: Step): string | undefined {
  if (step.kind !== 'container') return undefined
  if (step.action === 'rename') return step.to
  return step.action === 'create' ? step.name : undefined
}
