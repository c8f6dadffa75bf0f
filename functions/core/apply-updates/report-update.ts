import { serviceRow } from '../audit/row.ts'
import { keptVolumes } from '../backups/restore/journal.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnAction } from '../records/audit-actions.ts'
import type { NewAuditRow } from '../records/audit-row.ts'
import type { BackupRun } from '../records/backup-run.ts'
import type { Deployment } from '../records/deployment.ts'
import type { HeldBackImage } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdatedImage } from '../records/stack-update.ts'

type Values = Record<string, string>
type Reported = Pick<StackRecord, 'id' | 'hostId'>
type RowPorts = Needs<'clock' | 'random'>

/** Returns the row that says that newer images are taken, with the rights of an account. */
export function startRow(
  stack: Reported,
  images: readonly UpdatedImage[],
  account: { id: string; username: string },
  ports: RowPorts,
): NewAuditRow {
  const by = { userId: account.id, username: account.username }
  return row('stacks.images.update', stack, { outcome: 'succeeded', ...by }, namesOf(images), ports)
}

/** Returns the row that says that newer images could not be taken. No container changed. */
export function failedRow(
  stack: Reported,
  deploymentId: string | null,
  reason: string | null,
  ports: RowPorts,
): NewAuditRow {
  const values = {
    ...(deploymentId !== null && { deployment_id: deploymentId }),
    ...(reason !== null && { reason }),
  }
  return row('stacks.images.update', stack, { outcome: 'failed' }, values, ports)
}

/** What was bad of an update. */
interface BadUpdate {
  service: string | null
  reason: string | null
  held: readonly HeldBackImage[]
}

/** Returns the row that says that newer images were bad, and are taken back. */
export function badRow(
  stack: Reported,
  deployment: Deployment,
  { service, reason, held }: BadUpdate,
  ports: RowPorts,
): NewAuditRow {
  const values = {
    deployment_id: deployment.id,
    ...(service !== null && { service }),
    ...(reason !== null && { reason }),
    ...namesOf(held),
  }
  return row('stacks.images.roll-back', stack, { outcome: 'succeeded' }, values, ports)
}

/** Returns the row that says that bad images could not be taken back. */
export function rollbackFailedRow(
  stack: Reported,
  reason: string | null,
  ports: RowPorts,
): NewAuditRow {
  const values: Values = reason === null ? {} : { reason }
  return row('stacks.images.roll-back', stack, { outcome: 'failed' }, values, ports)
}

/**
 * Returns the row that says that an update went back with its data, and where what was written
 * since is kept.
 */
export function restoredRow(stack: Reported, run: BackupRun, ports: RowPorts): NewAuditRow {
  const kept = keptVolumes(run)
  const values = { run_id: run.id, ...(kept.length > 0 && { kept: kept.join(', ') }) }
  return row('stacks.images.restore', stack, { outcome: 'succeeded' }, values, ports)
}

/** Returns the row that says that updates of a stack may not run, or again may. */
export function blockedRow(stack: Reported, blocked: string | null, ports: RowPorts): NewAuditRow {
  const action = blocked === null ? 'stacks.images.unblock' : 'stacks.images.block'
  const values: Values = blocked === null ? {} : { reason: blocked }
  return row(action, stack, { outcome: 'succeeded' }, values, ports)
}

const namesOf = (
  images: readonly Pick<UpdatedImage, 'service' | 'name' | 'digest' | 'before'>[],
) => ({
  services: images.map(({ service }) => service).join(', '),
  images: images.map(({ name, digest }) => `${name}@${digest}`).join(', '),
  before: images.map(({ before }) => before).join(', '),
})

function row(
  action: OwnAction,
  { id, hostId }: Reported,
  about: Pick<NewAuditRow, 'outcome'> & Partial<Pick<NewAuditRow, 'userId' | 'username'>>,
  values: Values,
  { clock, random }: RowPorts,
): NewAuditRow {
  const subject = { kind: 'stacks' as const, id }
  const known = { id: random.id(), at: clock.now(), action, subject, hosts: [hostId], values }
  return serviceRow({ ...known, ...about })
}
