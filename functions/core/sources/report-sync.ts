import { serviceRow } from '../audit/row.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { OwnAction } from '../records/audit-actions.ts'
import type { SourceState } from '../records/stack-source.ts'
import type { BoundStack } from './stack-source-record.ts'

/** What a sync did, for the audit log and the events. */
export interface SyncReport {
  action: Extract<OwnAction, `stacks.source.${string}`>
  state?: Pick<SourceState, 'revision'>
  deploymentId?: string
  /** Why it failed. */
  error?: string
}

/** Writes what a sync did, with the rights of an account. */
export async function reportSync(
  { id, hostId, source }: BoundStack,
  { action, state, deploymentId, error }: SyncReport,
  account: Pick<Account, 'id' | 'username'> | undefined,
  { audit, clock, random }: Needs<'audit' | 'clock' | 'random'>,
): Promise<void> {
  const row = serviceRow({
    id: random.id(),
    at: clock.now(),
    action,
    outcome: error === undefined ? 'succeeded' : 'failed',
    subject: { kind: 'stacks', id },
    hosts: [hostId],
    values: {
      source: source.source,
      ...(state && { source_revision: state.revision }),
      ...(deploymentId !== undefined && { deployment_id: deploymentId }),
      ...(error !== undefined && { reason: error }),
    },
    ...(account && { userId: account.id, username: account.username }),
  })
  await audit.append(row)
}
