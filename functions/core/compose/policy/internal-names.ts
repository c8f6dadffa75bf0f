import type { Service } from '../service.ts'
import { semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'

/**
 * The image of the service's helper containers. They are created from its id; the name is for
 * people.
 */
export const helperImage = 'container-stacks/files:1'

/** Names of the service's helper containers: this prefix and hexadecimal digits. */
export const helperNamePrefix = 'container-stacks-'

/**
 * Helpers of earlier versions have `files-` in their names. The Engine prefixes names with a slash.
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

/** Returns whether a helper container could have this name. */
export const isInternalContainer = (name: string) => helperName.test(name)

/**
 * Checks that no service uses the image or a container name of the service itself.
 *
 * @throws Problem that names the attribute
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
        `${container_name} is reserved for the helper containers of this service: choose a name that does not ` +
          `begin with ${helperNamePrefix}`,
      )
    }
  }
}

function refuseImage(reference: string | undefined, at: Path): void {
  if (reference === undefined || !isInternalImage(reference)) return
  throw semantic(
    at,
    `${reference} is reserved for the helper image of this service: choose another name`,
  )
}
