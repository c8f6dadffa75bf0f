import { serviceRow } from '../audit/row.ts'
import { keptVolumes } from '../backups/restore/journal.ts'
import type { OwnAction } from '../records/audit-actions.ts'
import type { BackupRun } from '../records/backup-run.ts'
import type { Deployment } from '../records/deployment.ts'
import type { HeldBackImage } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdatedImage } from '../records/stack-update.ts'
import type { ApplyPorts } from './update-ports.ts'

type Values = Record<string, string>
type Reported = Pick<StackRecord, 'id' | 'hostId'>
type ReportPorts = Pick<ApplyPorts, 'audit' | 'clock' | 'random'>

/** Writes that the service begins to take newer images, with the rights of an account. */
export function reportStart(
  stack: Reported,
  images: readonly UpdatedImage[],
  account: { id: string; username: string },
  ports: ReportPorts,
): Promise<void> {
  const by = { userId: account.id, username: account.username }
  return write(
    'stacks.images.update',
    stack,
    { outcome: 'succeeded', ...by },
    namesOf(images),
    ports,
  )
}

/** Writes that newer images could not be taken. No container changed. */
export function reportFailed(
  stack: Reported,
  deploymentId: string | null,
  reason: string | null,
  ports: ReportPorts,
): Promise<void> {
  const values = {
    ...(deploymentId !== null && { deployment_id: deploymentId }),
    ...(reason !== null && { reason }),
  }
  return write('stacks.images.update', stack, { outcome: 'failed' }, values, ports)
}

/** What was bad of an update. */
interface BadUpdate {
  service: string | null
  reason: string | null
  held: readonly HeldBackImage[]
}

/** Writes that newer images were bad, and are taken back. */
export function reportBad(
  stack: Reported,
  deployment: Deployment,
  { service, reason, held }: BadUpdate,
  ports: ReportPorts,
): Promise<void> {
  const values = {
    deployment_id: deployment.id,
    ...(service !== null && { service }),
    ...(reason !== null && { reason }),
    ...namesOf(held),
  }
  return write('stacks.images.roll-back', stack, { outcome: 'succeeded' }, values, ports)
}

/** Writes that bad images could not be taken back. */
export function reportRollbackFailed(
  stack: Reported,
  reason: string | null,
  ports: ReportPorts,
): Promise<void> {
  const values: Values = reason === null ? {} : { reason }
  return write('stacks.images.roll-back', stack, { outcome: 'failed' }, values, ports)
}

/** Writes that an update went back with its data, and where what was written since is kept. */
export function reportRestored(stack: Reported, run: BackupRun, ports: ReportPorts): Promise<void> {
  const kept = keptVolumes(run)
  const values = { run_id: run.id, ...(kept.length > 0 && { kept: kept.join(', ') }) }
  return write('stacks.images.restore', stack, { outcome: 'succeeded' }, values, ports)
}

/** Writes that updates of a stack may not run, or again may. */
export function reportBlocked(
  stack: Reported,
  blocked: string | null,
  ports: ReportPorts,
): Promise<void> {
  const action = blocked === null ? 'stacks.images.unblock' : 'stacks.images.block'
  const values: Values = blocked === null ? {} : { reason: blocked }
  return write(action, stack, { outcome: 'succeeded' }, values, ports)
}

const namesOf = (
  images: readonly Pick<UpdatedImage, 'service' | 'name' | 'digest' | 'before'>[],
) => ({
  services: images.map(({ service }) => service).join(', '),
  images: images.map(({ name, digest }) => `${name}@${digest}`).join(', '),
  before: images.map(({ before }) => before).join(', '),
})

async function write(
  action: OwnAction,
  { id, hostId }: Reported,
  about: Pick<Parameters<typeof serviceRow>[0], 'outcome'> & { userId?: string; username?: string },
  values: Values,
  { audit, clock, random }: ReportPorts,
): Promise<void> {
  const subject = { kind: 'stacks' as const, id }
  const row = { id: random.id(), at: clock.now(), action, subject, hosts: [hostId], values }
  await audit.append(serviceRow({ ...row, ...about }))
}
