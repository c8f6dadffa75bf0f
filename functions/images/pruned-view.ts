import type { z } from 'zod'
import type { PruneResult } from '../core/images/remove-unused.ts'
import type { ImageSummary } from '../core/records/host-engine.ts'
import type { PrunedImages } from './schema.ts'

/**
 * Returns what a prune did in the API's form.
 *
 * @param readsStacks whether the caller may know which stacks need the images that stay
 */
export function prunedView(
  { deleted, reclaimed, images, kept }: PruneResult,
  readsStacks: boolean,
): z.input<typeof PrunedImages> {
  return {
    deleted,
    reclaimed_bytes: reclaimed,
    images: images.map(unusedView),
    kept: kept.map(({ image, reason, stack }) => ({
      ...unusedView(image),
      reason,
      stack: readsStacks ? stack : null,
    })),
  }
}

const unusedView = ({ id, tags, digests, size, createdAt }: ImageSummary) => ({
  id,
  tags,
  digests,
  size,
  created_at: createdAt,
})
