import { serviceRow } from '../audit/row.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import type { HookDeployment } from '../records/stack-hook.ts'

/** Writes that a hook deployed its stack, with the rights of an account, or why it did not. */
export async function reportHook(
  { id, hostId }: Pick<StackRecord, 'id' | 'hostId'>,
  { deploymentId, error }: Omit<HookDeployment, 'at'>,
  account: Pick<Account, 'id' | 'username'> | undefined,
  { audit, clock, random }: Needs<'audit' | 'clock' | 'random'>,
): Promise<void> {
  const row = serviceRow({
    id: random.id(),
    at: clock.now(),
    action: 'stacks.hook.deploy',
    outcome: error === null ? 'succeeded' : 'failed',
    subject: { kind: 'stacks', id },
    hosts: [hostId],
    values: {
      ...(deploymentId !== null && { deployment_id: deploymentId }),
      ...(error !== null && { reason: error }),
    },
    ...(account && { userId: account.id, username: account.username }),
  })
  await audit.append(row)
}
