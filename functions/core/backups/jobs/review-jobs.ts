import { serviceRow } from '../../audit/row.ts'
import { logFailure } from '../../log-failure.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { type JobAccountPorts, judgeJob } from './job-account.ts'
import { changeJob } from './job-record.ts'

export type ReviewPorts = JobAccountPorts &
  Needs<'audit' | 'backupJobs' | 'clock' | 'log' | 'random'>

/**
 * Records of each job whether it is blocked, so that people learn of it before the next run is due.
 */
export async function reviewJobs(ports: ReviewPorts): Promise<void> {
  for (const job of await ports.backupJobs.list()) {
    try {
      await reviewJob(job, ports)
    } catch (error) {
      logFailure(ports.log, 'a backup job could not be reviewed', { job: job.id, error })
    }
  }
}

/**
 * Judges a job and records a change: in the job, and in the audit log, where it becomes an event.
 * Returns why the job is blocked, or null.
 */
export async function reviewJob(job: BackupJob, ports: ReviewPorts): Promise<string | null> {
  const { actsAs } = job
  const standing = await judgeJob(job, ports)
  const blocked = standing.kind === 'blocked' ? standing.reason : null
  if (!actsAs) return blocked
  const username = standing.kind === 'account' ? standing.actor.account.username : actsAs.username
  if (blocked === actsAs.blocked && username === actsAs.username) return blocked
  // If someone saved the job in the meantime, this verdict is not about what it does now.
  const record = ({ actsAs: now }: BackupJob) =>
    now && isSame(now, actsAs) ? { actsAs: { ...now, username, blocked } } : undefined
  const isRecorded = await changeJob(job.id, record, ports)
  if (isRecorded && blocked !== actsAs.blocked) await recordVerdict(job, blocked, ports)
  return blocked
}

type Review = NonNullable<BackupJob['actsAs']>

const isSame = (one: Review, other: Review) =>
  one.accountId === other.accountId && one.since === other.since && one.blocked === other.blocked

async function recordVerdict(
  { id, name, hostId }: BackupJob,
  blocked: string | null,
  { audit, clock, random, log }: ReviewPorts,
): Promise<void> {
  if (blocked !== null) log.warn('a backup job is blocked', { job: id, name, reason: blocked })
  await audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action: blocked === null ? 'backup-jobs.unblock' : 'backup-jobs.block',
      outcome: 'succeeded',
      subject: { kind: 'backup-jobs', id, name },
      hosts: [hostId],
      values: blocked === null ? {} : { reason: blocked },
    }),
  )
}
