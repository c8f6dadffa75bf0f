import type { ObservedContainer, Resolved, Snapshot } from '../../engine/engine.ts'
import { unprocessable } from '../../errors.ts'
import { label } from '../create/labels.ts'
import type { Project } from '../project.ts'
import { add, type Plan } from './draft.ts'
import { imageOf, scaleOf } from './wanted.ts'

/** Which images to pull. `pull` wins over what the services say; `pulled` were pulled a moment ago. */
export interface PullOptions {
  pull: 'missing' | 'always' | 'never' | null
  pulled?: readonly string[]
}

/** Image reference → the step that pulls it. */
export type Pulls = ReadonlyMap<string, number>

/** Adds a pull for each image that is missing or is always pulled. Throws a `Failure` 422 for one that cannot come. */
export function planPulls(
  plan: Plan,
  project: Project,
  resolved: Resolved,
  options: PullOptions,
): Pulls {
  const pulls = new Map<string, number>()
  for (const name of Object.keys(project.services)) {
    const image = imageOf(project, name)
    const reason = pullReason(project, name, resolved, options)
    if (reason === undefined || pulls.has(image)) continue
    const platform = project.services[name]!.platform
    pulls.set(
      image,
      add(plan, { reason }, { action: 'pull', kind: 'image', name: image, platform }),
    )
  }
  return pulls
}

/**
 * The pulls on which it depends whether a container is made anew: their services have containers. They are executed and
 * resolved again before the project is planned, with their names in `pulled`. Empty for most deploys.
 */
export function pullsFirst(
  project: Project,
  snapshot: Snapshot,
  resolved: Resolved,
  options: PullOptions,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const present = new Set(snapshot.containers.map((container) => container.service))
  const services = Object.entries(project.services).filter(([name]) => present.has(name))
  planPulls(plan, { ...project, services: Object.fromEntries(services) }, resolved, options)
  return plan
}

/** True when a container was made from another image than the reference now stands for. Unknown counts as the same. */
export function imageChanged(
  container: ObservedContainer,
  image: Resolved['images'][string] | undefined,
): boolean {
  if (!image || container.imageId === image.id) return false
  const recorded = container.labels[label.image]
  return recorded !== image.id && !image.digests.some((digest) => digest.endsWith(`@${recorded}`))
}

function pullReason(
  project: Project,
  name: string,
  resolved: Resolved,
  options: PullOptions,
): string | undefined {
  const service = project.services[name]!
  const image = imageOf(project, name)
  const present = resolved.images[image] !== undefined
  if (scaleOf(service) === 0 || options.pulled?.includes(image)) return undefined
  if (!present && service.build) {
    throw unprocessable(
      `services.${name}.build: building is not supported and image ${image} is not on the host`,
    )
  }
  const policy = options.pull ?? service.pull_policy ?? 'missing'
  if (policy === 'always' && !service.build) return 'pull always'
  if (present) return undefined
  if (policy === 'never') {
    throw unprocessable(`services.${name}: image ${image} is not on the host and is never pulled`)
  }
  return 'image missing'
}
