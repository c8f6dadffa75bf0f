import { comparedKey, type ImageLook } from '../records/image-look.ts'

const newDigest = `sha256:${'1'.repeat(64)}`
/** When clocks of tests start, as `memoryClock` does. */
export const looked = Date.UTC(2026, 5, 1, 12)
/** The digest of an image that is older than the one of `imageLook`. */
export const oldDigest = `sha256:${'0'.repeat(64)}`

/**
 * Returns a look that succeeded when the clock of a test began.
 *
 * @param name the name of a tag in its normal form
 * @param older IDs of images of the hosts `local` and `far` that the registry has a newer one for
 */
export const imageLook = (
  name: string,
  older: readonly string[],
  more: Partial<ImageLook> = {},
): ImageLook => ({
  id: name,
  digest: newDigest,
  seenAt: 0,
  checkedAt: looked,
  askedAt: looked,
  nextAt: 3_600_000,
  problem: null,
  compared: Object.fromEntries(
    older.flatMap((id) =>
      ['local', 'far'].map((host) => [
        comparedKey(host, id),
        { result: 'newer' as const, source: null },
      ]),
    ),
  ),
  usedAt: 0,
  ...more,
})
