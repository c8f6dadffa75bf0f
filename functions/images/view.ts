import type { z } from 'zod'
import type { Placed } from '../core/hosts/placed.ts'
import type { ImageSummary } from '../core/records/host-engine.ts'
import type { Image } from './schema.ts'

/** Returns an image in the API's form. */
export function imageView(
  { createdAt, ...rest }: ImageSummary,
  place: Placed,
): z.input<typeof Image> {
  return { ...rest, created_at: createdAt, ...place }
}
