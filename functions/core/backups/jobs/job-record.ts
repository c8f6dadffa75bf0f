import { conflict, notFound } from '../../errors.ts'
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

/** The maximum number of attempts to change a job while others change it too. */
const triesMax = 20

/**
 * Applies a change to the current version of a job. Returns false if the job does not exist or
 * `change` returns undefined.
 *
 * @throws 409 if every attempt met another change
 */
export async function changeJob(
  id: string,
  change: (job: BackupJob) => Partial<BackupJob> | undefined,
  { backupJobs }: Needs<'backupJobs'>,
): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const job = await backupJobs.find(id)
    const changed = job && change(job)
    if (!job || !changed) return false
    if (await backupJobs.replace({ ...job, ...changed })) return true
  }
  throw conflict('the backup job is being changed by another request, try again')
}
