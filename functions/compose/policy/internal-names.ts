import type { Service } from '../service.ts'
import { type Report, raise, semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'

/**
 * The image of the service's helper containers. They are created by image ID; the name is
 * informational.
 */
export const helperImage = 'container-stacks/files:1'

/** Names of the service's helper containers are this prefix followed by hexadecimal digits. */
export const helperNamePrefix = 'container-stacks-'

/**
 * Earlier versions had `files-` in the names of helpers. The Engine prefixes names with a slash.
 */
const helperName = /^\/*container-stacks-(files-)?[0-9a-f]{12,16}$/

const helperRepository = 'container-stacks/files'

/**
 * Returns whether a reference names the helpers' repository, in any spelling that the Engine
 * accepts.
 */
export function isInternalImage(reference: string): boolean {
  const path = reference.replace(/^(index\.)?docker\.io\//, '')
  return path.startsWith(helperRepository) && /^([:@]|$)/.test(path.slice(helperRepository.length))
}

/** Returns whether a helper container could have this name. */
export const isInternalContainer = (name: string) => helperName.test(name)

/**
 * Checks that no service uses an image name or a container name that is reserved for helpers.
 *
 * @throws Problem that names the attribute
 */
export function refuseInternalNames(
  services: Record<string, Service>,
  report: Report = raise,
): void {
  for (const [name, service] of Object.entries(services)) {
    const at = ['services', name]
    refuseImage(service.image, [...at, 'image'], report)
    for (const [index, tag] of (service.build?.tags ?? []).entries()) {
      refuseImage(tag, [...at, 'build', 'tags', index], report)
    }
    for (const [index, hook] of (service.pre_start ?? []).entries()) {
      refuseImage(hook.image, [...at, 'pre_start', index, 'image'], report)
    }
    const { container_name } = service
    if (container_name !== undefined && isInternalContainer(container_name)) {
      const reserved =
        `${container_name} is reserved for the helper containers of this service: choose a name that does not ` +
        `begin with ${helperNamePrefix}`
      report(semantic([...at, 'container_name'], reserved))
    }
  }
}

function refuseImage(reference: string | undefined, at: Path, report: Report): void {
  if (reference === undefined || !isInternalImage(reference)) return
  const reserved = `${reference} is reserved for the helper image of this service: choose another name`
  report(semantic(at, reserved))
}
