import type { Service } from '../service.ts'
import { semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'

/**
 * The image of the service's own helper containers. It is created from its id; the name is for
 * people.
 */
export const helperImage = 'container-stacks/files:1'

/**
 * Names of the service's own helper containers begin with this, and go on with hexadecimal digits.
 */
export const helperNamePrefix = 'container-stacks-'

/**
 * Helpers of earlier versions had `files-` in their names. The Engine puts a slash in front of
 * names.
 */
const helperName = /^\/*container-stacks-(files-)?[0-9a-f]{12,16}$/

const helperRepository = 'container-stacks/files'

/**
 * Returns true for a reference to the helpers' repository, in each spelling that the Engine takes
 * for it.
 */
export function isInternalImage(reference: string): boolean {
  const path = reference.replace(/^(index\.)?docker\.io\//, '')
  return path.startsWith(helperRepository) && /^([:@]|$)/.test(path.slice(helperRepository.length))
}

/** Returns true for a name that a helper container could have. */
export const isInternalContainer = (name: string) => helperName.test(name)

/**
 * Throws a `Problem` for a service that takes the name of the service's own image or of a container
 * of it.
 */
export function refuseInternalNames(services: Record<string, Service>): void {
  for (const [name, service] of Object.entries(services)) {
    const at = ['services', name]
    refuseImage(service.image, [...at, 'image'])
    for (const [index, tag] of (service.build?.tags ?? []).entries()) {
      refuseImage(tag, [...at, 'build', 'tags', index])
    }
    for (const [index, hook] of (service.pre_start ?? []).entries()) {
      refuseImage(hook.image, [...at, 'pre_start', index, 'image'])
    }
    const { container_name } = service
    if (container_name !== undefined && isInternalContainer(container_name)) {
      throw semantic(
        [...at, 'container_name'],
        `${container_name} is a name for this service's own containers: take one that does not ` +
          `begin with ${helperNamePrefix}`,
      )
    }
  }
}

function refuseImage(reference: string | undefined, at: Path): void {
  if (reference === undefined || !isInternalImage(reference)) return
  throw semantic(at, `${reference} is this service's own image: take another name`)
}
