/** The image of the service's own helper containers. It is created from its id; the name is for people. */
export const helperImage = 'container-stacks/files:1'

/** Names of the service's own helper containers begin with this. */
export const helperNamePrefix = 'container-stacks-'

const helperRepository = 'container-stacks/files'

/** Returns true for a reference to the helpers' repository, in each spelling that the Engine takes for it. */
export function isInternalImage(reference: string): boolean {
  const path = reference.replace(/^(index\.)?docker\.io\//, '')
  return path.startsWith(helperRepository) && /^([:@]|$)/.test(path.slice(helperRepository.length))
}

/** Returns true for a name that a helper container could have. */
export const isInternalContainer = (name: string) =>
  name.replace(/^\/+/, '').startsWith(helperNamePrefix)
