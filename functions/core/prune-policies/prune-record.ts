import { bindAccount } from '../acts-as/bind-account.ts'
import { conflict } from '../errors.ts'
import { nothingSeen } from '../images/unused-since.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { PrunePolicy } from '../records/prune-policy.ts'
import { nextRun } from '../time/schedule.ts'

/** What an account decides about the unused images of a host. */
export type PruneTerms = Pick<PrunePolicy, 'schedule' | 'timezone' | 'what' | 'unusedDays'>

/** Checks the policy that is about to be changed. It throws to refuse the change. */
export type PolicyCheck = (found: PrunePolicy | undefined) => void

/** The maximum number of tries when other changes of the same policy are written first. */
const triesMax = 20

/**
 * Saves the policy of a host. Its runs act as this account from then on, which the caller has
 * checked may prune. What was seen of unused images stays.
 *
 * @throws what `check` throws, and 409 if all tries fail
 */
export async function savePrunePolicy(
  hostId: string,
  terms: PruneTerms,
  account: Account,
  check: PolicyCheck,
  ports: Needs<'clock' | 'prunePolicies' | 'stacks'>,
): Promise<PrunePolicy> {
  const { prunePolicies, clock } = ports
  const actsAs = await bindAccount(account, [], ports)
  for (let tries = 0; tries < triesMax; tries += 1) {
    const found = await prunePolicies.find(hostId)
    check(found)
    const isSeen = terms.what === 'unused' && found?.what === 'unused'
    const policy: PrunePolicy = {
      id: hostId,
      ...terms,
      actsAs,
      nextRunAt: nextRun(terms.schedule, terms.timezone, clock.now()),
      last: found?.last ?? null,
      seen: isSeen ? found.seen : nothingSeen,
    }
    const isWritten = found
      ? await prunePolicies.replace({ ...policy, revision: found.revision })
      : await prunePolicies.create(policy)
    if (isWritten) return policy
  }
  throw changedMeanwhile(hostId)
}

/**
 * Deletes the policy of a host, if it has one.
 *
 * @throws what `check` throws, and 409 if all tries fail
 */
export async function removePrunePolicy(
  hostId: string,
  check: PolicyCheck,
  { prunePolicies }: Needs<'prunePolicies'>,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const found = await prunePolicies.find(hostId)
    check(found)
    if (!found || (await prunePolicies.remove(hostId, found.revision))) return
  }
  throw changedMeanwhile(hostId)
}

/**
 * Changes what the service keeps in a policy. Returns the policy as written, or undefined if it was
 * deleted, someone saved it since it was read, or `change` returns undefined.
 */
export async function changePrunePolicy(
  read: PrunePolicy,
  change: (now: PrunePolicy) => Partial<PrunePolicy> | undefined,
  { prunePolicies }: Needs<'prunePolicies'>,
): Promise<Stored<PrunePolicy> | undefined> {
  const own = (now: PrunePolicy) => (isSameSave(now, read) ? change(now) : undefined)
  return await changeRecord(prunePolicies, read.id, own, subject(read.id))
}

const isSameSave = ({ actsAs: one }: PrunePolicy, { actsAs: other }: PrunePolicy) =>
  one.accountId === other.accountId && one.since === other.since

const changedMeanwhile = (hostId: string) =>
  conflict(`${subject(hostId)} is being changed by another request, try again`)

const subject = (hostId: string) => `host ${hostId}: its prune policy`
