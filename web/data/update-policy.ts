import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type UpdatePolicy = components['schemas']['UpdatePolicy']
/** What is saved of a policy. */
export type UpdatePolicyBody = Pick<
  UpdatePolicy,
  'mode' | 'window' | 'minimum_age_hours' | 'except'
>
export type HeldBackImage = components['schemas']['HeldBackImage']

/** Milliseconds. An account can lose its rights, and an image be held back, without an event. */
const pace = 60_000
const policyPath = '/stacks/{name}/update-policy'
const heldBackPath = '/stacks/{name}/held-back-images'

/** Reads what happens with newer images of a stack. */
export const useUpdatePolicy = (name: string) => usePolled(policyPath, { name }, pace)

/** Reads the images that no update of a stack takes, because they were bad. */
export const useHeldBack = (name: string) => usePolled(heldBackPath, { name }, pace)

export async function savePolicy(name: string, body: UpdatePolicyBody): Promise<void> {
  await unwrap(api.PUT(policyPath, { params: { path: { name } }, body }))
  refresh(policyPath, '/updates')
}

/** Saves a policy as it is, so that its updates act as the user from then on. */
export const takeOverPolicy = (
  name: string,
  { mode, window, minimum_age_hours, except }: UpdatePolicy,
): Promise<void> => savePolicy(name, { mode, window, minimum_age_hours, except })

/** Takes the policy of a stack back, so that the default applies. */
export async function resetPolicy(name: string): Promise<void> {
  await unwrap(api.DELETE(policyPath, { params: { path: { name } } }))
  refresh(policyPath, '/updates')
}

/** Lets updates of a stack take an image again that was bad. */
export async function allowImage(name: string, digest: string): Promise<void> {
  await unwrap(api.DELETE(`${heldBackPath}/{digest}`, { params: { path: { name, digest } } }))
  refresh(heldBackPath, '/updates')
}
