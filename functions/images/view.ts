import type { z } from 'zod'
import type { ImageSummary } from '../core/engine/engine.ts'
import type { Placed } from '../core/hosts/fan-out.ts'
import type { Image } from './schema.ts'

/** Returns an image in the API's form. */
export function imageView(
  { createdAt, ...rest }: ImageSummary,
  place: Placed,
): z.input<typeof Image> {
  return { ...rest, created_at: createdAt, ...place }
}
