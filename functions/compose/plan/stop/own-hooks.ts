import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { Hook } from '../../service-parts.ts'
import type { ObservedContainer, Snapshot } from '../../snapshot.ts'
import { firstContainers, isCreatedFrom } from '../compare/created-from.ts'
import type { Plan } from '../plan-steps.ts'

/** A plan for existing containers, and the projects that these can have been created from. */
export interface Origins {
  plan: Plan
  project: Project | null
  /** Those of earlier files. */
  creators: readonly Project[]
  snapshot: Pick<Snapshot, 'containers'>
}

/**
 * Returns the commands that run in an existing container: only those that it was created with,
 * whoever stops or starts it. The author of other files may have no right to what the container has
 * access to. Adds a warning if the files have commands for its service, but the container was
 * created from none of them.
 */
export function ownHooks(
  kind: 'pre_stop' | 'post_start',
  container: ObservedContainer,
  { plan, project, creators, snapshot }: Origins,
): readonly Hook[] {
  if (container.oneoff) return []
  const known = [...(project ? [project] : []), ...creators].flatMap((one) => {
    const service = definitionOf(one, container.service)
    return service ? [{ project: one, service }] : []
  })
  if (!known.some(({ service }) => service[kind]?.length)) return []
  const ids = firstContainers(snapshot.containers)
  const creator = known.find((one) => isCreatedFrom(container, one.project, one.service, ids))
  if (creator) return creator.service[kind] ?? []
  plan.warnings.push(
    `container ${container.name}: no ${kind} command runs in it, because it was created from other files`,
  )
  return []
}

/** Returns a service as its config hash sees it, also one that no active profile includes. */
const definitionOf = (
  { hashed, services, left_out: leftOut, disabled_services: disabled }: Project,
  name: string,
) =>
  ownEntry(hashed, name) ??
  ownEntry(services, name) ??
  ownEntry(leftOut, name) ??
  ownEntry(disabled, name)
