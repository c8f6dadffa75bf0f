import { imageName } from '../../compose/reference/image-name.ts'
import { invalid } from '../errors.ts'
import type { ArtifactTarget } from '../records/artifact.ts'
import { imageTag } from '../registries/image-tag.ts'

/**
 * Returns where a reference points to. Without a tag it is `latest`.
 *
 * @throws 400 if it is no reference to a tag
 */
export function publishTarget(reference: string, path: string): ArtifactTarget {
  const name = imageName(reference)
  if (name.kind !== 'tag')
    throw invalid(`${path}: must have a tag, not a digest: it is what is made`)
  const target = imageTag(name)
  if (!target) throw invalid(`${path}: must be a repository and a tag, such as team/shop:1.0`)
  return target
}

/** Returns a target as a reference with its registry and tag. */
export const targetText = ({ registry, repository: path, tag: name }: ArtifactTarget): string =>
  `${registry}/${path}:${name}`
