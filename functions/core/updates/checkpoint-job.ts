import type { Need } from '../acts-as/judge-later-work.ts'
import { needsOf } from '../backups/jobs/check-job.ts'
import { type JobAccountPorts, judgeJob } from '../backups/jobs/job-account.ts'
import { Failure } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { StackRecord } from '../records/stack.ts'

export type CheckpointPorts = JobAccountPorts & Needs<'backupJobs'>

type BackedUp = Pick<StackRecord, 'id' | 'hostId'>

/** The job of a checkpoint, or why it makes none. */
export type FoundJob = { job: Stored<BackupJob> } | { problem: string }

/** Returns the job that makes the checkpoints of a stack, or why it cannot make one. */
export async function findCheckpointJob(
  stack: BackedUp,
  id: string,
  ports: CheckpointPorts,
): Promise<FoundJob> {
  const job = await findInScope(id, ports)
  if (!job) return { problem: 'the backup job of the checkpoint was deleted: set another one' }
  const isSource = job.sources.some((one) => one.kind === 'stack' && one.name === stack.id)
  if (isSource && job.hostId === stack.hostId) return { job }
  return {
    problem: `backup job ${job.name} does not back up stack ${stack.id}: set another checkpoint`,
  }
}

/** A job on a host outside the scope of the caller backs up no stack that the caller sees. */
const findInScope = (id: string, { backupJobs }: Needs<'backupJobs'>) =>
  backupJobs.find(id).catch((error) => {
    if (error instanceof Failure && error.status === 403) return undefined
    throw error
  })

/** Returns the stacks of which a backup runs that is made before their update. */
export async function backedUpNow(
  stacks: readonly Pick<StackRecord, 'id' | 'checkpoint'>[],
  { backupRuns }: Needs<'backupRuns'>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    stacks.map(async ({ id, checkpoint }) => {
      const run = checkpoint && (await backupRuns.find(checkpoint.runId))
      return run?.status === 'running' ? [id] : []
    }),
  )
  return new Set(found.flat())
}

/** Returns why a job may not run now; otherwise null. */
export async function whyJobBlocked(
  job: BackupJob,
  ports: JobAccountPorts,
): Promise<string | null> {
  const standing = await judgeJob(job, ports)
  if (standing.kind !== 'blocked') return null
  return `backup job ${job.name} is blocked: ${standing.reason}`
}

const part = 'the checkpoint'
/** A restore replaces the stack. */
const permissions = [
  'backups:manage',
  'stacks:read',
  'stacks:create',
  'stacks:update',
  'stacks:deploy',
  'stacks:secrets',
] as const

/** Returns what an account needs to run a job by hand, and to restore the stack in its backup. */
export const checkpointNeeds = (job: BackupJob): Need[] => [
  ...permissions.map((permission) => ({ part, permission })),
  ...needsOf(job),
]
