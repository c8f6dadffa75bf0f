import { api, unwrap } from './api.ts'
import type { InheritedPolicy } from './inherited-policy.ts'
import { refresh } from './refresh.ts'
import type { PolicyTerms } from './update-policy.ts'
import { usePolled } from './use-polled.ts'

/** Milliseconds. An account can lose its rights without an event. */
const pace = 60_000

/** Reads what happens with newer images of stacks that have no policy of their own. */
export const useInheritedPolicies = () => usePolled('/update-policies', {}, pace)

export async function saveInherited(
  of: string,
  { mode, window, minimum_age_hours, watch_minutes }: PolicyTerms,
): Promise<InheritedPolicy> {
  const body = { mode, window, minimum_age_hours, watch_minutes }
  const saved = await unwrap(
    api.PUT('/update-policies/{name}', { params: { path: { name: of } }, body }),
  )
  refreshAll()
  return saved
}

export async function deleteInherited(of: string): Promise<void> {
  await unwrap(api.DELETE('/update-policies/{name}', { params: { path: { name: of } } }))
  refreshAll()
}

const refreshAll = () => refresh('/update-policies', '/stacks/{name}/update-policy', '/updates')
