import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { removeInTime } from './retention.ts'

type LeftoverPorts = Needs<'backupRuns' | 'backupTargets' | 'clock' | 'log'>

/**
 * Removes the objects of an incomplete run and records that they are gone. Never throws: the next
 * run of the job retries what could not be removed.
 */
export async function removeLeftovers(
  run: BackupRun,
  job: BackupJob | undefined | Promise<BackupJob | undefined>,
  ports: LeftoverPorts,
  note: () => Promise<unknown> = () => ports.backupRuns.save({ ...run, leftovers: false }),
): Promise<void> {
  try {
    // Not bound to the signal of the run, so that it also works after an abort. It has a short
    // timeout.
    await removeInTime(run, await job, ports)
    await note()
  } catch (error) {
    ports.log.warn('the remains of a backup could not be removed', { run: run.id, error })
  }
}

/** Removes the objects that earlier runs of the job left behind. */
export async function removeEarlierLeftovers(
  own: BackupRun,
  job: BackupJob,
  ports: LeftoverPorts,
): Promise<void> {
  const runs = await ports.backupRuns.list({ jobId: job.id, limit: 100 })
  const over = runs.filter(
    ({ id, kind, status, leftovers }) =>
      id !== own.id && kind === 'backup' && leftovers && status !== 'running',
  )
  for (const run of over) await removeLeftovers(run, job, ports)
}
