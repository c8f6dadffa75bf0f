import type { z } from 'zod'
import type { HostFields } from '../core/hosts/host-fields.ts'
import type { ImageSummary } from '../core/records/host-engine.ts'
import type { Image } from './schema.ts'

/** Returns an image in the API's form. */
export function imageView(
  { createdAt, ...rest }: ImageSummary,
  hostFields: HostFields,
): z.input<typeof Image> {
  return { ...rest, created_at: createdAt, ...hostFields }
}
