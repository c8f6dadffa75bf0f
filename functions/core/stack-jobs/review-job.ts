import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { ActsAs } from '../records/acts-as.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'
import { changeJob } from './job-record.ts'
import { judgeJob } from './judge-job.ts'
import { reportBlocked } from './report-job.ts'

export type ReviewPorts = JudgePorts & Needs<'audit' | 'clock' | 'log' | 'random' | 'stackJobs'>

/**
 * Judges a job and records a change: in the job, and in the audit log, where it becomes an event.
 * Returns why the job is blocked, or null.
 */
export async function reviewJob(
  job: Stored<StackJob>,
  stack: Pick<StackRecord, 'hostId'>,
  ports: ReviewPorts,
): Promise<string | null> {
  const { actsAs } = job
  const standing = await judgeJob(job, stack, ports)
  const blocked = standing.kind === 'blocked' ? standing.reason : null
  const username = standing.kind === 'account' ? standing.actor.account.username : actsAs.username
  if (blocked === actsAs.blocked && username === actsAs.username) return blocked
  // If someone saved the job in the meantime, this verdict is not about what it does now.
  const record = ({ actsAs: now }: StackJob) =>
    isSame(now, actsAs) ? { actsAs: { ...now, username, blocked } } : undefined
  const isRecorded = (await changeJob(job, record, ports)) !== undefined
  if (isRecorded && blocked !== actsAs.blocked) {
    if (blocked !== null) ports.log.warn('a job is blocked', { job: job.id, reason: blocked })
    await reportBlocked(job, blocked, stack, ports)
  }
  return blocked
}

const isSame = (one: ActsAs, other: ActsAs): boolean =>
  one.accountId === other.accountId && one.since === other.since && one.blocked === other.blocked
