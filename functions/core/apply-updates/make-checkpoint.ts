import { runningMax } from '../backups/runs/running-max.ts'
import { startBackup } from '../backups/runs/start-backup.ts'
import { isTransient, publicMessage } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import { type BackupRun, isWhole } from '../records/backup-run.ts'
import type { StackRecord } from '../records/stack.ts'
import type { OpenCheckpoint } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { isAhead } from '../time/clock-skew.ts'
import { findCheckpointJob } from '../updates/checkpoint-job.ts'
import { readFaults } from './read-watched.ts'
import type { ApplyPorts } from './update-ports.ts'

/** Milliseconds after which a backup is too old to be the checkpoint of an update. */
const oldAfter = 3_600_000

/** How far the backup is that is made before an update. */
export type CheckpointState =
  /** None was begun, or something changed since. */
  { kind: 'none' } | { kind: 'running' } | { kind: 'failed'; reason: string } | { kind: 'made' }

/** Returns how far the backup is that is made before the next update of a stack. */
export async function checkpointState(
  stack: StackRecord,
  ports: ApplyPorts,
): Promise<CheckpointState> {
  const { checkpoint, updatePolicy } = stack
  if (!checkpoint || checkpoint.jobId !== updatePolicy?.checkpoint) return { kind: 'none' }
  const run = await ports.backupRuns.find(checkpoint.runId)
  // The process died before the run was recorded, or someone removed it.
  if (!run) return { kind: 'none' }
  if (run.status === 'running') return { kind: 'running' }
  // Its error can contain what a hook printed: only who may read backups sees it.
  if (run.status !== 'succeeded') {
    return { kind: 'failed', reason: `the checkpoint failed, see backup run ${run.id}` }
  }
  return isWhole(run) && isNew(run, ports.clock.now()) && isAsBackedUp(stack, checkpoint)
    ? { kind: 'made' }
    : { kind: 'none' }
}

const isNew = ({ finishedAt }: BackupRun, now: number): boolean =>
  finishedAt !== null && now - finishedAt < oldAfter && !isAhead(finishedAt, now)

/** Returns whether nothing was deployed or edited since a backup began. */
const isAsBackedUp = (
  { contentRevision, last }: StackRecord,
  checkpoint: OpenCheckpoint,
): boolean =>
  contentRevision === checkpoint.contentRevision &&
  (last?.deploymentId ?? null) === checkpoint.deploymentId

/**
 * Starts the backup that is made before an update, and records it first, so that another process
 * goes on with it. `later`: it is to be tried again.
 */
export async function startCheckpoint(
  stack: Stored<StackRecord>,
  jobId: string,
  by: string,
  ports: ApplyPorts,
): Promise<'begun' | 'later' | { problem: string }> {
  const found = await findCheckpointJob(stack, jobId, ports)
  if ('problem' in found) return found
  const unfinished = await ports.backupRuns.listUnfinished()
  if (unfinished.filter(({ status }) => status === 'running').length >= runningMax) return 'later'
  const faultsBefore = await readFaults(stack, ports)
  const runId = ports.random.id()
  const checkpoint = (now: StackRecord): OpenCheckpoint => ({
    runId,
    jobId,
    contentRevision: now.contentRevision,
    deploymentId: now.last?.deploymentId ?? null,
    faultsBefore,
  })
  await changeStack(stack.id, (now) => ({ checkpoint: checkpoint(now) }), ports)
  try {
    await startBackup(found.job, by, ports, runId)
    return 'begun'
  } catch (error) {
    // Such as another run of the job: the next pass tries again.
    if (isTransient(error)) return 'later'
    return { problem: `the checkpoint could not begin: ${publicMessage(error, 'it failed')}` }
  }
}

/** Forgets the backup that was made before an update that does not begin. */
export async function dropCheckpoint({ id, checkpoint }: StackRecord, ports: ApplyPorts) {
  if (!checkpoint) return
  await changeStack(
    id,
    (now) => (now.checkpoint?.runId === checkpoint.runId ? { checkpoint: undefined } : {}),
    ports,
  )
}
