import { serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import { imageOf } from '../../used-resources.ts'
import { addWrite, type WriteOptions } from '../add-write.ts'
import type { Plan } from '../plan-steps.ts'
import { addBuild, addPull } from './plan-fetches.ts'

/** The options of a pull or a build. */
export interface FetchOptions extends WriteOptions {
  services: readonly string[]
}

/**
 * Plans the pull of the images of services, whatever is on the host. An image that is built is not
 * pulled, and neither is one whose `pull_policy` is `never`.
 */
export function planServicePull(project: Project, { services }: FetchOptions): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  for (const name of services) {
    const { build, pull_policy: policy } = serviceOf(project, name)
    if (build) plan.warnings.push(`service ${name}: its image is built, so it is not pulled`)
    else if (policy === 'never') plan.warnings.push(`service ${name}: pull_policy is never`)
    else addPull(plan, project, { name, image: imageOf(project, name), reason: 'pull' })
  }
  return plan
}

/** Plans the build of the images of services, whatever is on the host. */
export function planServiceBuild(project: Project, options: FetchOptions): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const builders = options.services.filter((name) => serviceOf(project, name).build)
  const files = builders.length > 0 ? addWrite(plan, project, options) : undefined
  for (const name of options.services) {
    if (!builders.includes(name)) {
      plan.warnings.push(`service ${name}: it has no build section`)
      continue
    }
    const image = imageOf(project, name)
    const draft = { image, builder: name, reason: 'build', fetches: new Map() }
    addBuild(plan, { project, files }, draft)
  }
  return plan
}
