import type { Stored } from '../collection.ts'
import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { BackupJob } from './job.ts'
import type { BackupRun } from './run.ts'

/** The job of that id. Throws a `Failure` 404. */
export async function getJob(
  id: string,
  { backupJobs }: Needs<'backupJobs'>,
): Promise<Stored<BackupJob>> {
  const job = await backupJobs.find(id)
  if (!job) throw notFound('there is no such backup job')
  return job
}

/** The run of that id. Throws a `Failure` 404. */
export async function getRun(id: string, { backupRuns }: Needs<'backupRuns'>): Promise<BackupRun> {
  const run = await backupRuns.find(id)
  if (!run) throw notFound('there is no such backup run')
  return run
}

/** How often a change is tried again when another change of the same job was faster. */
const triesMax = 20

/** Changes a job as it stands at the moment of writing. False when it is gone, or nothing is to be changed. */
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
  throw conflict('the backup job is being changed by others, try again')
}
