import type { z } from 'zod'
import type { PruneResult } from '../core/images/remove-unused.ts'
import { keptView, unusedView } from '../core/images/unused-image-view.ts'
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
    kept: kept.map((one) => keptView(one, readsStacks)),
  }
}
