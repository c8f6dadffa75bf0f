import type { Needs } from '../ports/ports.ts'
import { type BackupRun, isUnfinished, isWhole } from '../records/backup-run.ts'

export type RunPorts = Needs<'backupRuns' | 'backupJobs' | 'settings' | 'clock'>

const day = 86_400_000

/**
 * Removes the records of runs whose job was deleted, and returns how many: runs with a backup after
 * `retention.deleted_job_days`, others after `retention.days`. The backups themselves are not
 * touched.
 */
export async function sweepRuns(ports: RunPorts, signal: AbortSignal): Promise<number> {
  const settings = await ports.settings.get()
  const now = ports.clock.now()
  // Listed before the jobs, so that a run without a listed job belongs to a deleted one.
  const runs = await ports.backupRuns.list({ limit: Number.MAX_SAFE_INTEGER })
  const jobs = new Set((await ports.backupJobs.list()).map(({ id }) => id))
  const isOver = (run: BackupRun) => {
    const days = settings[isWhole(run) ? 'retention.deleted_job_days' : 'retention.days']
    return (run.finishedAt ?? run.startedAt) < now - days * day
  }
  let removed = 0
  for (const run of runs) {
    if (signal.aborted) break
    if (jobs.has(run.jobId) || isUnfinished(run) || !isOver(run)) continue
    await ports.backupRuns.remove(run.id)
    removed += 1
  }
  return removed
}
