import { requirePermissions } from '../access/grant.ts'
import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Caller } from '../records/account.ts'
import type { InheritedPolicy } from '../records/update-policy.ts'
import { tagPrefix } from './policy-of.ts'

/** What an account decides about the newer images of stacks that have no policy of their own. */
export type InheritedTerms = Omit<InheritedPolicy, 'id' | 'actsAs' | 'createdAt'>

const isBeingChanged = () => conflict('the update policy is being changed by another request')

/**
 * Saves the policy of a tag, or that of all stacks. With `apply`, updates act as this account.
 *
 * @throws 409 if another request changes it at the same time
 */
export async function saveInherited(
  id: string,
  terms: InheritedTerms,
  { id: accountId, username }: Pick<Account, 'id' | 'username'>,
  { updatePolicies, clock }: Needs<'updatePolicies' | 'clock'>,
): Promise<InheritedPolicy> {
  const now = clock.now()
  const actsAs = { accountId, username, since: now, stacks: [], blocked: null }
  const saved = { id, ...terms, ...(terms.mode === 'apply' && { actsAs }) }
  const before = await updatePolicies.find(id)
  const createdAt = before?.createdAt ?? now
  const policy = { ...saved, createdAt }
  const isSaved = before
    ? await updatePolicies.replace({ ...policy, revision: before.revision })
    : await updatePolicies.create(policy)
  if (!isSaved) throw isBeingChanged()
  return policy
}

/** @throws 404 if there is no such policy, 409 if another request changes it at the same time */
export async function removeInherited(
  id: string,
  { updatePolicies }: Needs<'updatePolicies'>,
): Promise<void> {
  const found = await updatePolicies.find(id)
  if (!found) throw notFound(`there is no update policy of ${id}`)
  if (!(await updatePolicies.remove(id, found.revision))) throw isBeingChanged()
}

/**
 * Guards the tags of a host: one with a policy decides what is deployed there.
 *
 * @throws 403 if the caller adds or takes away such a tag, and may not save its policy
 */
export async function requirePolicyTags(
  before: readonly string[],
  after: readonly string[],
  caller: Caller,
  { updatePolicies }: Needs<'updatePolicies'>,
): Promise<void> {
  const changed = [
    ...after.filter((tag) => !before.includes(tag)),
    ...before.filter((tag) => !after.includes(tag)),
  ]
  for (const tag of changed) {
    if (!(await updatePolicies.find(tagPrefix + tag))) continue
    requirePermissions(caller, ['settings:manage'], `tag ${tag}: its update policy`)
  }
}
