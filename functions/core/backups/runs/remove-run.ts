import { leaseHeld, notFound } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import { type BackupRun, isUnfinished, isWhole } from '../../records/backup-run.ts'
import { requireVolumes } from '../jobs/approve-volumes.ts'
import { requireJob } from '../jobs/check-job.ts'
import { kindsOf } from '../jobs/run-rights.ts'
import { volumesAmong } from '../jobs/run-volumes.ts'
import { withReadingLock } from './reading-lock.ts'
import { removeObjects } from './retention.ts'

type RemovePorts = Needs<
  | ('backupJobs' | 'backupRuns' | 'backupTargets')
  | ('background' | 'clock' | 'leases' | 'random' | 'settings' | 'stacks')
>

/**
 * Checks that the caller could create a job that makes the backup of the run. Its retention could
 * remove it too.
 *
 * @throws 403 if a permission is missing
 */
export async function requireRemovable(
  run: BackupRun,
  caller: Caller,
  ports: RemovePorts,
): Promise<void> {
  const sources = kindsOf(run).map((kind) => ({ kind }))
  const hooks = { before: null, after: null }
  requireJob({ sources, hooks, stopServices: false, target: run.target }, caller)
  // A restore has no objects that are removed with its record.
  if (run.kind === 'restore') return
  await requireVolumes(run.volumes ?? volumesAmong(run.contents, run), 'backup', caller, ports)
}

/**
 * Removes a run: the objects of its backup, unless `keepsObjects`, and then its record. A call that
 * was killed in between can be repeated. A restore has no objects of its own.
 *
 * @throws 404 if it was removed in the meantime, 409 while it runs or is being read, 500 if its
 *   target does not respond; the record stays then
 */
export async function removeRun(
  id: string,
  { keepsObjects }: { keepsObjects: boolean },
  ports: RemovePorts,
): Promise<void> {
  const never = new AbortController().signal
  await withReadingLock(id, ports.random.id(), never, ports, async (signal) => {
    const run = await ports.backupRuns.find(id)
    if (!run) throw notFound('there is no such backup run')
    if (isUnfinished(run)) {
      throw leaseHeld(`backup run ${id}: it is in progress, or has work left on its host`)
    }
    const hasObjects = run.kind === 'backup' && (isWhole(run) || run.leftovers)
    if (hasObjects && !keepsObjects) {
      await removeObjects(run, await ports.backupJobs.find(run.jobId), signal, ports)
    }
    await ports.backupRuns.remove(id)
  })
}
