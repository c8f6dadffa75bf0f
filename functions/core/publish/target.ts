import { imageName } from '../../compose/reference/image-name.ts'
import { registryPattern } from '../../compose/reference/registry-address.ts'
import { invalid } from '../errors.ts'
import type { ArtifactTarget } from '../records/artifact.ts'
import { parseUrl } from '../url.ts'

const repository =
  /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/
const tag = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/

/**
 * Returns where a reference points to. Without a tag it is `latest`.
 *
 * @throws 400 if it is no reference to a tag
 */
export function publishTarget(reference: string, path: string): ArtifactTarget {
  const { kind, name, repository: full } = imageName(reference)
  if (kind !== 'tag') throw invalid(`${path}: must have a tag, not a digest: it is what is made`)
  const slash = full.indexOf('/')
  const target = {
    registry: full.slice(0, slash),
    repository: full.slice(slash + 1),
    tag: name.slice(full.length + 1),
  }
  const isValid =
    registryPattern.test(target.registry) &&
    parseUrl(`https://${target.registry}`) !== undefined &&
    repository.test(target.repository) &&
    target.repository.length <= 255 &&
    tag.test(target.tag)
  if (!isValid) throw invalid(`${path}: must be a repository and a tag, such as team/shop:1.0`)
  return target
}

/** Returns a target as a reference with its registry and tag. */
export const targetText = ({ registry, repository: path, tag: name }: ArtifactTarget): string =>
  `${registry}/${path}:${name}`
