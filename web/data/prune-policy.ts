import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type PrunePolicy = components['schemas']['PrunePolicy']
/** What is saved of a policy. */
export type PrunePolicyBody = Pick<PrunePolicy, 'timezone' | 'what' | 'unused_days'> & {
  schedule: string
}
export type PrunePreview = components['schemas']['PrunePreview']

/** Milliseconds. An account can lose its rights without an event. */
const pace = 60_000
const policyPath = '/hosts/{id}/prune-policy'
const previewPath = '/hosts/{id}/prune-policy/preview'

/** Reads which unused images of a host are removed on a schedule. */
export const usePrunePolicy = (id: HostId) => usePolled('/hosts/{id}/prune-policy', { id }, pace)

export async function savePrunePolicy(id: HostId, body: PrunePolicyBody): Promise<void> {
  await unwrap(api.PUT('/hosts/{id}/prune-policy', { params: { path: { id } }, body }))
  refresh(policyPath, previewPath)
}

export async function deletePrunePolicy(id: HostId): Promise<void> {
  await unwrap(api.DELETE('/hosts/{id}/prune-policy', { params: { path: { id } } }))
  refresh(policyPath, previewPath)
}
