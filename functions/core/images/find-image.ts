import { sameImageName } from '../../compose/reference/image-name.ts'
import { invalid } from '../errors.ts'
import type { ImageSummary } from '../records/host-engine.ts'

/**
 * Returns the image that a text names, as `docker image inspect` reads it: a name, a digest, an ID
 * or the beginning of an ID; undefined if there is none.
 *
 * @throws 400 if the IDs of several images begin with it
 */
export function findImage(
  named: string,
  images: readonly ImageSummary[],
): ImageSummary | undefined {
  const byName = images.find(({ tags, digests }) =>
    [...tags, ...digests].some((one) => sameImageName(one, named)),
  )
  if (byName) return byName
  const digits = named.replace(/^sha256:/, '')
  const [found, another] = images.filter(({ id }) => id.startsWith(`sha256:${digits}`))
  if (another) throw invalid(`id: several images begin with ${named}, give more of the id`)
  return found
}
