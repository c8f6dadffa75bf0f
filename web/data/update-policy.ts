import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type UpdatePolicy = components['schemas']['UpdatePolicy']
/** What the policies of stacks and those that stacks inherit have in common. */
export type PolicyTerms = Pick<
  UpdatePolicy,
  'mode' | 'window' | 'minimum_age_hours' | 'watch_minutes'
>
/** What is saved of a policy. */
export type UpdatePolicyBody = PolicyTerms & Pick<UpdatePolicy, 'except' | 'after' | 'checkpoint'>
export type HeldBackImage = components['schemas']['HeldBackImage']

/** Milliseconds. An account can lose its rights, and an image be held back, without an event. */
const pace = 60_000
const policyPath = '/stacks/{name}/update-policy'
const heldBackPath = '/stacks/{name}/held-back-images'

/** Reads what happens with newer images of a stack. */
export const useUpdatePolicy = (name: string) =>
  usePolled('/stacks/{name}/update-policy', { name }, pace)

/** Reads the images that no update of a stack takes, because they were bad. */
export const useHeldBack = (name: string) =>
  usePolled('/stacks/{name}/held-back-images', { name }, pace)

export async function savePolicy(name: string, body: UpdatePolicyBody): Promise<void> {
  await unwrap(api.PUT('/stacks/{name}/update-policy', { params: { path: { name } }, body }))
  refresh(policyPath, '/updates')
}

/** Saves a policy as it is, so that its updates act as the user from then on. */
export const takeOverPolicy = (
  name: string,
  { mode, window, minimum_age_hours, except, watch_minutes, after, checkpoint }: UpdatePolicy,
): Promise<void> =>
  savePolicy(name, {
    mode,
    window,
    minimum_age_hours,
    except,
    watch_minutes,
    after,
    checkpoint,
  })

/** Takes the policy of a stack back, so that the default applies. */
export async function resetPolicy(name: string): Promise<void> {
  await unwrap(api.DELETE('/stacks/{name}/update-policy', { params: { path: { name } } }))
  refresh(policyPath, '/updates')
}

/** Lets updates of a stack take an image again that was bad. */
export async function allowImage(name: string, digest: string): Promise<void> {
  const path = { name, digest }
  await unwrap(api.DELETE('/stacks/{name}/held-back-images/{digest}', { params: { path } }))
  refresh(heldBackPath, '/updates')
}
