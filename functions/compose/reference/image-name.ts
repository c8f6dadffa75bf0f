import { splitReference } from './image-reference.ts'
import { isRegistry, registryAddress } from './registry-address.ts'

/**
 * An image reference in normal form, in which references are recorded and compared. `name` has the
 * registry, the repository and the tag or digest: `docker.io/library/nginx:1.29`.
 */
export interface ImageName {
  /** `id`: an image ID or a prefix of one, which identifies an image independent of its tags. */
  kind: 'tag' | 'digest' | 'id'
  name: string
  /** Registry and repository without tag or digest; empty for an ID. */
  repository: string
}

const fullId = /^(sha256:)?[0-9a-f]{64}$/

/**
 * Returns the normal form of an image reference: Docker Hub under one name, `library/` for its
 * official images, `latest` where there is no tag, the digest alone where there are both.
 */
export function imageName(reference: string): ImageName {
  if (fullId.test(reference) || /^sha256:[0-9a-f]+$/.test(reference)) {
    return { kind: 'id', name: reference.replace(/^(sha256:)?/, 'sha256:'), repository: '' }
  }
  const { repository: written, tag = 'latest', digest } = splitReference(reference)
  const repository = fullRepository(written)
  return digest === undefined
    ? { kind: 'tag', name: `${repository}:${tag}`, repository }
    : { kind: 'digest', name: `${repository}@${digest}`, repository }
}

/** Returns whether two references have the same normal form. */
export const sameImageName = (one: string, other: string): boolean =>
  imageName(one).name === imageName(other).name

/** Adds the registry and `library/`. Recognizes a registry as `registryOf` does. */
function fullRepository(repository: string): string {
  const slash = repository.indexOf('/')
  const first = slash > 0 ? repository.slice(0, slash) : ''
  const path = isRegistry(first) ? repository.slice(slash + 1) : repository
  const registry = isRegistry(first) ? tagRegistry(first) : 'docker.io'
  const isOfficial = registry === 'docker.io' && !path.includes('/')
  return `${registry}/${isOfficial ? 'library/' : ''}${path}`
}

/**
 * Tags treat only these two names of Docker Hub as equal; `registry-1.docker.io` is a different
 * name for the same registry.
 */
function tagRegistry(first: string): string {
  const address = /[.:]/.test(first) ? first.toLowerCase() : first
  return address === 'index.docker.io' ? registryAddress(address) : address
}
