import type { z } from 'zod'
import type { HostFields } from '../core/hosts/host-fields.ts'
import type { VolumeSummary } from '../core/records/host-engine.ts'
import type { Volume } from './schema.ts'

/** Returns a volume in the API's form, without its options: mount options can hold passwords. */
export function volumeView(
  { createdAt, options: _, ...rest }: VolumeSummary,
  hostFields: HostFields,
): z.input<typeof Volume> {
  return { ...rest, created_at: createdAt, ...hostFields }
}
