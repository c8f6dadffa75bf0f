import type { z } from 'zod'
import type { ImageSummary } from '../records/host-engine.ts'
import type { KeptImage as KeptImageRecord } from './remove-unused.ts'
import type { KeptImage, UnusedImage } from './unused-image-schema.ts'

/** Returns an unused image in the API's form. */
export const unusedView = ({
  id,
  tags,
  digests,
  size,
  createdAt,
}: ImageSummary): z.input<typeof UnusedImage> => ({
  id,
  tags,
  digests,
  size,
  created_at: createdAt,
})

/**
 * Returns an image that a prune leaves in the API's form.
 *
 * @param readsStacks whether the caller may know which stacks need such images
 */
export const keptView = (
  { image, reason, stack }: KeptImageRecord,
  readsStacks: boolean,
): z.input<typeof KeptImage> => {
  const { id, tags, digests, size, created_at } = unusedView(image)
  return { id, tags, digests, size, created_at, reason, stack: readsStacks ? stack : null }
}
