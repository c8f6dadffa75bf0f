import type { z } from 'zod'
import type { HostFields } from '../core/hosts/host-fields.ts'
import type { NetworkSummary } from '../core/records/host-engine.ts'
import type { Network } from './schema.ts'

/** Returns a network in the API's form. */
export function networkView(
  { createdAt, ...rest }: NetworkSummary,
  hostFields: HostFields,
): z.input<typeof Network> {
  return { ...rest, created_at: createdAt, ...hostFields }
}
