import type { Needs } from '../ports.ts'
import type { BackupJob } from './job.ts'
import { removeInTime } from './retention.ts'
import type { BackupRun } from './run.ts'

type LeftoverPorts = Needs<'backupRuns' | 'backupTargets' | 'clock' | 'log'>

/** Removes what a run has stored in vain and notes that it is gone. What cannot be removed now is left to the job's next run. */
export async function removeLeft(
  run: BackupRun,
  job: BackupJob | undefined | Promise<BackupJob | undefined>,
  ports: LeftoverPorts,
  note: () => Promise<unknown> = () => ports.backupRuns.save({ ...run, leftovers: false }),
): Promise<void> {
  try {
    // Also when the run's own signal is over: removing takes a moment.
    await removeInTime(run, await job, ports)
    await note()
  } catch (error) {
    ports.log.warn('what is left of a backup could not be removed', { run: run.id, error })
  }
}

/** Removes what other runs of the job could not. */
export async function removeLeftOfOthers(
  own: BackupRun,
  job: BackupJob,
  ports: LeftoverPorts,
): Promise<void> {
  const runs = await ports.backupRuns.list({ jobId: job.id, limit: 100 })
  const over = runs.filter(
    ({ id, kind, status, leftovers }) =>
      id !== own.id && kind === 'backup' && leftovers && status !== 'running',
  )
  for (const run of over) await removeLeft(run, job, ports)
}
