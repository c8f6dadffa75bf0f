import { notFound } from '../../errors.ts'
import { changeRecord } from '../../ports/change-record.ts'
import type { Stored } from '../../ports/collection.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { requireRun } from './run-rights.ts'

/**
 * Returns the job with this ID.
 *
 * @throws 404 if it does not exist
 */
export async function getJob(
  id: string,
  { backupJobs }: Needs<'backupJobs'>,
): Promise<Stored<BackupJob>> {
  const job = await backupJobs.find(id)
  if (!job) throw notFound('there is no such backup job')
  return job
}

/**
 * Returns the run with this ID.
 *
 * @throws 404 if it does not exist
 * @throws 403 if the caller may not read a source of it
 */
export async function getRun(
  id: string,
  caller: Caller,
  { backupRuns }: Needs<'backupRuns'>,
): Promise<BackupRun> {
  const run = await backupRuns.find(id)
  if (!run) throw notFound('there is no such backup run')
  requireRun(run, caller)
  return run
}

/**
 * Applies a change to the current version of a job. Returns false if the job does not exist or
 * `change` returns undefined.
 *
 * @throws 409 if other changes are always written first
 */
export async function changeJob(
  id: string,
  change: (job: BackupJob) => Partial<BackupJob> | undefined,
  { backupJobs }: Needs<'backupJobs'>,
): Promise<boolean> {
  return (await changeRecord(backupJobs, id, change, 'the backup job')) !== undefined
}
