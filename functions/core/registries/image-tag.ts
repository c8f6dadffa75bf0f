import type { ImageName } from '../../compose/reference/image-name.ts'
import { registryPattern } from '../../compose/reference/registry-address.ts'
import type { ImageTag } from '../records/image-manifest.ts'
import { parseUrl } from '../url.ts'

const repositoryPattern =
  /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/

/** Returns the tag that a name stands for; undefined if it is none, or not in a valid form. */
export function imageTag({ kind, name, repository: full }: ImageName): ImageTag | undefined {
  if (kind !== 'tag') return undefined
  const slash = full.indexOf('/')
  const registry = full.slice(0, slash)
  const repository = full.slice(slash + 1)
  const tag = name.slice(full.length + 1)
  const isValid =
    registryPattern.test(registry) &&
    parseUrl(`https://${registry}`) !== undefined &&
    repositoryPattern.test(repository) &&
    repository.length <= 255 &&
    tagPattern.test(tag)
  return isValid ? { registry, repository, tag } : undefined
}
