import type { ImageLook } from '../records/image-look.ts'

const newDigest = `sha256:${'1'.repeat(64)}`
/** The digest of an image that is older than the one of `imageLook`. */
export const oldDigest = `sha256:${'0'.repeat(64)}`

/**
 * Returns a look that succeeded, for tests.
 *
 * @param name the name of a tag in its normal form
 * @param older IDs of images that the registry has a newer one for
 */
export const imageLook = (
  name: string,
  older: readonly string[],
  more: Partial<ImageLook> = {},
): ImageLook => ({
  id: name,
  digest: newDigest,
  seenAt: 0,
  checkedAt: 60_000,
  nextAt: 3_600_000,
  problem: null,
  compared: Object.fromEntries(
    older.map((id) => [id, { digest: newDigest, result: 'newer' as const, source: null }]),
  ),
  usedAt: 0,
  ...more,
})
