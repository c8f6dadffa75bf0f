import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { type BackupRun, noProgress } from '../../records/backup-run.ts'

/** Returns the run to record for a job. Nothing is durable after it. */
export function prepareBackup(
  job: BackupJob,
  by: string,
  ports: Needs<'backupTargets' | 'clock' | 'random'>,
  id = ports.random.id(),
): BackupRun {
  const directory = `${job.name}/${id}`
  return {
    id,
    kind: 'backup',
    jobId: job.id,
    jobName: job.name,
    hostId: job.hostId,
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by,
    target: job.target,
    directory,
    location: ports.backupTargets.location(job.target, directory),
    encrypted: isEncrypted(job),
    size: 0,
    sha256: null,
    contents: [],
    kinds: job.sources.map(({ kind }) => kind),
    progress: noProgress,
    stopped: [],
    leftovers: true,
    fence: 0,
    warnings: [],
  }
}

/**
 * Returns whether the runs of a job are encrypted. Backups of the service's own state always are.
 */
export const isEncrypted = ({ encrypt, sources }: Pick<BackupJob, 'encrypt' | 'sources'>) =>
  encrypt || sources.some(({ kind }) => kind === 'system')
