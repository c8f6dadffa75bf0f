import type { OpenPorts } from '../backups/contents/open-backup.ts'
import { verifyBackup } from '../backups/contents/verify.ts'
import { getJob } from '../backups/jobs/job-record.ts'
import { withReadingLock } from '../backups/runs/reading-lock.ts'
import { type BackupPorts, startBackupOfPause } from '../backups/runs/start-backup.ts'
import { conflict } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import { type BackupRun, isWhole } from '../records/backup-run.ts'

/**
 * Returns the job that backs up the service: the one with this ID, or the one that ran last.
 *
 * @throws 404 if there is no such job
 * @throws 409 if it does not back up the service, or no job does
 */
export async function systemJob(
  id: string | undefined,
  ports: Needs<'backupJobs'>,
): Promise<Stored<BackupJob>> {
  if (id !== undefined) {
    const job = await getJob(id, ports)
    if (isOfSystem(job)) return job
    throw conflict(
      `backup_job: ${job.name} does not back up the service: name a job with the source \`system\``,
    )
  }
  const [latest] = (await ports.backupJobs.list()).filter(isOfSystem).sort(byLastRun)
  if (latest) return latest
  throw conflict(
    'no backup job backs up the service: make one with `cli backups create NAME --system --to TARGET`, or upgrade with `without_backup`',
  )
}

const isOfSystem = ({ sources }: BackupJob) => sources.some(({ kind }) => kind === 'system')

const byLastRun = (a: BackupJob, b: BackupJob) =>
  (b.lastRun?.startedAt ?? 0) - (a.lastRun?.startedAt ?? 0) || b.createdAt - a.createdAt

interface BackUpOptions {
  /** The name of the user. */
  by: string
  signal: AbortSignal
  /** Called with the ID of the run once it is recorded. */
  onStart(runId: string): Promise<void>
}

/**
 * Runs a job in the pause of an upgrade, and reads the whole backup again.
 *
 * @throws 409 if the backup could not be made or read
 * @throws the reason of the signal once it is aborted; the run goes on
 */
export async function backUpService(
  job: Stored<BackupJob>,
  { by, signal, onStart }: BackUpOptions,
  ports: BackupPorts & OpenPorts,
): Promise<void> {
  const { run, finished } = await startBackupOfPause(job, by, ports)
  await onStart(run.id)
  const ended = await untilAborted(finished, signal)
  // Its error can contain what a hook printed: only who may read backups sees it.
  if (ended.status !== 'succeeded' || !isWhole(ended)) throw refused('it failed', run)
  const verify = (reading: AbortSignal) => verifyBackup(ended, ports, reading)
  const readerId = ports.random.id()
  const { ok } = await withReadingLock(run.id, readerId, signal, ports, verify)
  if (!ok) throw refused('what is stored cannot be read', run)
}

const refused = (what: string, { id, jobName }: BackupRun) =>
  conflict(
    `the backup before the upgrade is not usable, ${what}: see run ${id} of backup job ${jobName}; nothing was replaced`,
    { reason: 'conflict' },
  )

/** @throws the reason of the signal once it is aborted */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
}
