import { containerName } from '../../create/labels.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { addStep } from '../plan-steps.ts'
import { freeingSteps, type Planning } from './planning-state.ts'

/**
 * Renames containers that an interrupted deploy left under a temporary name. If a container that is
 * still to be replaced has the name, `planLateRenames` does.
 */
export function planRenames(planning: Planning): void {
  for (const container of leftUnnamed(planning)) {
    if (!isNameHeld(planning, container)) renameLeft(planning, container)
  }
}

/** Renames what `planRenames` did not, after all replacements are planned. */
export function planLateRenames(planning: Planning): void {
  const { renames, starts, moves } = planning
  for (const container of leftUnnamed(planning)) {
    if (renames.has(container.id)) continue
    const { to, step } = renameLeft(planning, container, moves.get(container.id))
    for (const start of starts) {
      if (start.container?.id === container.id) {
        Object.assign(start, { name: to, after: [...start.after, step] })
      }
    }
  }
}

/** Returns the containers to keep that have the temporary name of a replacement. */
function leftUnnamed({ project, decisions }: Planning): ObservedContainer[] {
  return [...decisions.values()].flatMap(({ name: service, keep }) =>
    keep.filter(
      ({ name, number }) =>
        /^[0-9a-f]{12}_/.test(name) && name.slice(13) === containerName(project, service, number),
    ),
  )
}

function renameLeft(planning: Planning, container: ObservedContainer, after: number[] = []) {
  const { id, name, service, number } = container
  const to = containerName(planning.project, service, number)
  const freed = [...freeingSteps(planning, service), nameFreed(planning, container)]
  const about = { reason: 'left by an interrupted deploy', service, after: [...after, ...freed] }
  const step = addStep(planning.plan, about, { action: 'rename', kind: 'container', name, to })
  const renamed = { to, step }
  planning.renames.set(id, renamed)
  return renamed
}

/** A container that has no name of its own yet: with the ID of itself or of what it replaces. */
export type Unnamed = Pick<ObservedContainer, 'service' | 'number'> & { id?: string | undefined }

/** Returns the other container that has the name which this one gets. */
const holderOf = ({ project, snapshot }: Planning, { service, number, id }: Unnamed) => {
  const to = containerName(project, service, number)
  return snapshot.containers.find((one) => one.name === to && one.id !== id)
}

const removalOf = ({ plan }: Planning, { name }: ObservedContainer) =>
  plan.steps.find(
    (step) => step.action === 'remove' && step.kind === 'container' && step.name === name,
  )

/** Returns the step that removes the container with the name which this one gets. */
export function nameFreed(planning: Planning, container: Unnamed): number | undefined {
  const holder = holderOf(planning, container)
  return holder && removalOf(planning, holder)?.index
}

/**
 * Returns whether a container of another service has the name and is still to be replaced: services
 * can exchange their names.
 */
export function isNameHeld(planning: Planning, container: Unnamed): boolean {
  const holder = holderOf(planning, container)
  if (!holder || removalOf(planning, holder)) return false
  const { recreate = [] } = planning.decisions.get(holder.service) ?? {}
  return recreate.some(({ container }) => container.id === holder.id)
}
