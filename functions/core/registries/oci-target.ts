import { imageName } from '../../compose/reference/image-name.ts'
import type { ArtifactTarget } from '../records/artifact.ts'
import { imageTag } from './image-tag.ts'

const scheme = 'oci://'

/** The form of a digest, which names a manifest as a tag does. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/

/**
 * Returns the repository that a URL such as `oci://registry.example.org/team/shop` names, at a tag
 * or a digest. Returns undefined if the URL or the reference is not in a valid form.
 */
export function ociTarget(url: string, ref: string): ArtifactTarget | undefined {
  const path = url.startsWith(scheme) ? url.slice(scheme.length) : ''
  // A tag, a digest and a user name have places of their own.
  const isPlain = /^[^\s@]+\/[^\s@:]+$/.test(path)
  if (!isPlain) return undefined
  const isDigest = digestPattern.test(ref)
  const target = imageTag(imageName(`${path}:${isDigest ? 'latest' : ref}`))
  return target && (isDigest ? { ...target, tag: ref } : target)
}
