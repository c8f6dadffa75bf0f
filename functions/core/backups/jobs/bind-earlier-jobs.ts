import { serviceRow } from '../../audit/row.ts'
import type { Needs } from '../../ports/ports.ts'
import type { ActsAs } from '../../records/acts-as.ts'
import type { AuditRow } from '../../records/audit-row.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { bindJobStacks } from './job-account.ts'
import { changeJob } from './job-record.ts'

type BindPorts = Needs<'audit' | 'backupJobs' | 'clock' | 'log' | 'random' | 'stacks'>

/** The fields of a request that say what a job does. A save of one binds the job to its account. */
export const contentFields = [
  'host',
  'sources',
  'target',
  'encrypt',
  'hooks',
  'stop_services',
] as const

/**
 * Binds jobs of versions that kept no account, once: to the account that last saved what the job
 * does, if the audit log has it. The others act as the service, as before, until someone saves
 * them. Each job gets an audit row.
 */
export async function bindEarlierJobs(jobs: readonly BackupJob[], ports: BindPorts): Promise<void> {
  const earlier = jobs.filter(({ actsAs }) => !actsAs)
  if (earlier.length === 0) return
  const authors = await findAuthors(new Set(earlier.map(({ id }) => id)), ports)
  for (const job of earlier) {
    const author = authors.get(job.id)
    const actsAs: ActsAs = {
      accountId: author?.userId ?? null,
      username: author?.username ?? null,
      since: author?.at ?? ports.clock.now(),
      stacks: await bindJobStacks(job, ports),
      blocked: null,
    }
    const bind = (now: BackupJob) => (now.actsAs ? undefined : { actsAs })
    if (await changeJob(job.id, bind, ports)) await recordBinding(job, actsAs, ports)
  }
}

/** Returns who last saved what each job does, as far as the audit log goes back. */
async function findAuthors(
  ids: ReadonlySet<string>,
  { audit }: Needs<'audit'>,
): Promise<Map<string, AuditRow>> {
  const authors = new Map<string, AuditRow>()
  let from = 0
  for (;;) {
    const { rows, end } = await audit.after(from)
    for (const row of rows) {
      const id = row.subject?.id
      if (id !== undefined && ids.has(id) && isSave(row)) authors.set(id, row)
    }
    if (end === from) return authors
    from = end
  }
}

const isSave = ({ action, outcome, userId, fields }: AuditRow) =>
  outcome === 'succeeded' &&
  userId !== null &&
  (action === 'backup-jobs.create' ||
    (action === 'backup-jobs.update' && contentFields.some((field) => fields.includes(field))))

async function recordBinding(
  { id, name, hostId }: BackupJob,
  { username }: ActsAs,
  { audit, clock, random, log }: BindPorts,
): Promise<void> {
  const values = { author: username ?? 'unknown, so it acts as the service' }
  log.warn('a backup job of an earlier version acts as its author now: see docs/upgrading.md', {
    job: id,
    name,
    ...values,
  })
  await audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action: 'backup-jobs.bind',
      outcome: 'succeeded',
      subject: { kind: 'backup-jobs', id, name },
      hosts: [hostId],
      values,
    }),
  )
}
