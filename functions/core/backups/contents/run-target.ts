import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { BackupTarget } from '../../records/backup-target.ts'

/** Returns whether two targets are the same place. Credentials may differ. */
export function isSamePlace(one: BackupTarget, other: BackupTarget): boolean {
  return JSON.stringify(placeOf(one)) === JSON.stringify(placeOf(other))
}

function placeOf(target: BackupTarget) {
  if (target.kind === 'local') return [target.kind, target.path]
  if (target.kind === 's3') return [target.kind, target.endpoint, target.bucket, target.prefix]
  return [target.kind, target.host, target.port, target.username, target.path]
}

/**
 * Returns the target of a run's backup. Uses the job's current settings if they lead to the same
 * place, because credentials change.
 */
export const targetOf = (run: BackupRun, job: BackupJob | undefined) =>
  job && isSamePlace(job.target, run.target) ? job.target : run.target
