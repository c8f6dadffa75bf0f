import { bindAccount } from '../acts-as/bind-account.ts'
import { conflict, notFound } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import { installationRefusal } from '../owners/installation-refusal.ts'
import { isOwnStack } from '../owners/refuse-installation.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { refuseOrder } from './update-order.ts'

export type SavePolicyPorts = Needs<'clock' | 'engines' | 'hosts' | 'stacks'>

/** What an account decides about the newer images of a stack. */
export type PolicyTerms = Omit<UpdatePolicy, 'actsAs' | 'createdAt'>

/**
 * Saves the policy of a stack. Its updates act as this account from then on, which the caller has
 * checked may deploy the stack.
 *
 * @param check throws if the change is not meant for the stack as it is
 * @throws 409 if updates are to be applied and the service itself runs in the stack, or the stack
 *   was deleted and created again meanwhile; 404 if it was deleted; 422 if its order cannot be kept
 */
export async function savePolicy(
  stack: Stored<StackRecord>,
  terms: PolicyTerms,
  account: Account,
  check: (stack: StackRecord) => void,
  ports: SavePolicyPorts,
): Promise<Stored<StackRecord>> {
  await refuseOrder(stack, terms.after ?? [], ports)
  const at = ports.clock.now()
  const dated = (policy: UpdatePolicy) => (before: UpdatePolicy | undefined) => {
    const createdAt = before ? before.createdAt : at
    return createdAt === undefined ? policy : { ...policy, createdAt }
  }
  if (terms.mode !== 'apply') return replacePolicy(stack, dated(terms), check, ports)
  await refuseOwn(stack, ports)
  const actsAs = await bindAccount(account, [stack.id], ports)
  return replacePolicy(stack, dated({ ...terms, actsAs }), check, ports)
}

/**
 * Deletes the policy of a stack, so that the default applies.
 *
 * @throws what `savePolicy` throws
 */
export const removePolicy = (
  stack: Stored<StackRecord>,
  check: (stack: StackRecord) => void,
  ports: Needs<'stacks'>,
): Promise<Stored<StackRecord>> => replacePolicy(stack, () => undefined, check, ports)

async function replacePolicy(
  stack: Stored<StackRecord>,
  policyAfter: (before: UpdatePolicy | undefined) => UpdatePolicy | undefined,
  check: (stack: StackRecord) => void,
  ports: Needs<'stacks'>,
): Promise<Stored<StackRecord>> {
  const change = (now: StackRecord) => {
    if (now.createdAt !== stack.createdAt)
      throw conflict(`stack ${stack.id}: it was deleted and created again meanwhile: try again`)
    check(now)
    return { updatePolicy: policyAfter(now.updatePolicy) }
  }
  const changed = await changeStack(stack.id, change, ports, stack)
  if (!changed) throw notFound(`stack ${stack.id}: it was deleted meanwhile`)
  return changed
}

/** A host that does not respond refuses nothing: each deploy asks it again. */
async function refuseOwn({ id, hostId }: StackRecord, ports: SavePolicyPorts): Promise<void> {
  const isOwn = await callHost(hostId, ports, (engine) => isOwnStack(id, engine)).catch(
    ignoreFailure('look for the service in a stack'),
  )
  if (isOwn) throw installationRefusal(`stack ${id}`, 'update')
}
