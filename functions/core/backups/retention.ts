import { withDeadline } from '../deadline.ts'
import type { Needs } from '../ports.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'
import type { BackupJob, Retention } from './job.ts'
import { type BackupRun, isUnfinished, isWhole, readingLease } from './run.ts'
import { isSamePlace } from './target.ts'

const day = 24 * 60 * 60 * 1000
/** Records of runs without a backup that are kept for each job. */
const recordsMax = 100
/** How long removing one may take before another may begin to read it. Milliseconds. */
const held = 60_000

/**
 * Returns the whole backups of a job that need not be kept, oldest first. The newest that succeeded
 * is always kept. Backups of the future are of a clock that was ahead: they stay and do not count,
 * or each new one would be removed as an older one. `runs` are all of the job's, in any order.
 */
export function expired(
  runs: readonly BackupRun[],
  { keepLast, keepDays }: Retention,
  now: number,
): BackupRun[] {
  if (keepLast === null && keepDays === null) return []
  const past = runs.filter(({ startedAt }) => startedAt <= now)
  const whole = past.filter(isWhole).sort((a, b) => (a.id < b.id ? 1 : -1))
  const lastGood = whole.find(({ status }) => status === 'succeeded') ?? whole[0]
  const isKept = (run: BackupRun, index: number) =>
    run === lastGood ||
    (keepLast !== null && index < keepLast) ||
    (keepDays !== null && run.startedAt > now - keepDays * day)
  return whole.filter((run, index) => !isKept(run, index)).reverse()
}

/** Records that say nothing any more: of old runs without a backup. */
export function forgettable(runs: readonly BackupRun[]): BackupRun[] {
  const without = runs.filter((run) => !isWhole(run) && !isUnfinished(run) && !run.leftovers)
  return without.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(recordsMax)
}

type RetentionPorts = Needs<
  'backupRuns' | 'backupTargets' | 'leases' | 'clock' | 'log' | 'background' | 'retentionStates'
>

/**
 * Removes what need not be kept and returns warnings: what could not be removed, and why. While the
 * clock is not trusted, a job with `keep_days` keeps all of its backups.
 */
export async function applyRetention(
  job: BackupJob,
  signal: AbortSignal,
  ports: RetentionPorts,
): Promise<string[]> {
  const runs = await ports.backupRuns.list({ jobId: job.id, limit: Number.MAX_SAFE_INTEGER })
  for (const { id } of forgettable(runs)) await ports.backupRuns.remove(id)
  const warnings: string[] = []
  if (job.retention.keepDays !== null && !(await isClockTrusted(ports))) {
    const why = 'the clock jumped or the service was down'
    ports.log.warn(`keep_days is not applied: ${why}`, { job: job.id })
    return warnings
  }
  for (const run of expired(runs, job.retention, ports.clock.now())) {
    if (signal.aborted) break
    await removeBackup(run, job, signal, ports).catch((error) => {
      ports.log.warn('an old backup could not be removed', { run: run.id, error })
      warnings.push(`the backup ${run.id} could not be removed: ${error.message}`)
    })
  }
  return warnings
}

/** Removes a backup and its record, unless somebody reads it now. */
async function removeBackup(
  run: BackupRun,
  job: BackupJob,
  signal: AbortSignal,
  ports: RetentionPorts,
): Promise<void> {
  const holder = `${ports.background.processId}/remove ${run.id}`
  const lease = await ports.leases.take(readingLease(run.id), holder, held)
  if (!lease) return
  try {
    await removeObjects(run, job, signal, ports)
    await ports.backupRuns.remove(run.id)
  } finally {
    await ports.leases.release(lease)
  }
}

/** Removes all objects of a run. The manifest goes first: without it there is no backup any more, whatever is left. */
export async function removeObjects(
  run: BackupRun,
  job: BackupJob | undefined,
  signal: AbortSignal,
  { backupTargets }: Pick<RetentionPorts, 'backupTargets'>,
): Promise<void> {
  const target = await backupTargets.open(targetOf(run, job), signal)
  try {
    const names = (await target.list(run.directory, signal)).map(({ name }) => name)
    const isManifest = (name: string) => name.startsWith(`${run.directory}/manifest.json`)
    const manifests = names.filter(isManifest)
    if (manifests.length > 0) await target.remove(manifests, signal)
    const others = names.filter((name) => !isManifest(name))
    if (others.length > 0) await target.remove(others, signal)
  } finally {
    await target.close()
  }
}

/** Milliseconds for removing what was stored in vain. */
const removalDeadline = 15_000

/** The same of what was stored in vain, within a short time. */
export const removeInTime = (
  run: BackupRun,
  job: BackupJob | undefined,
  ports: Pick<RetentionPorts, 'backupTargets' | 'clock'>,
) => withDeadline(removalDeadline, ports.clock, (signal) => removeObjects(run, job, signal, ports))

/** Where a run's backup is, asked for with what the job has now if that leads to the same place: secrets change. */
export const targetOf = (run: BackupRun, job: BackupJob | undefined) =>
  job && isSamePlace(job.target, run.target) ? job.target : run.target
