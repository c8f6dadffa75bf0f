import { publicMessage } from '../../errors.ts'
import { leaseTime, withLeaseRenewal } from '../../leases/lease-renewal.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob, Retention } from '../../records/backup-job.ts'
import { type BackupRun, isUnfinished, isWhole, readingLease } from '../../records/backup-run.ts'
import type { StackRecord } from '../../records/stack.ts'
import { isClockTrusted } from '../../retention/is-clock-trusted.ts'
import { withDeadline } from '../../time/deadline.ts'
import { targetOf } from '../contents/run-target.ts'

const day = 24 * 60 * 60 * 1000
/** Records of runs without a backup that are kept per job. */
const recordsMax = 100

/**
 * Returns the complete backups of a job that need not be kept, oldest first. The newest successful
 * one is always kept. Backups in the future were made while the clock was ahead. They stay and do
 * not count: otherwise each new backup would be removed as an older one. `runs` are all runs of the
 * job, in any order.
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

/** Returns old runs without a backup, whose records are no longer needed. */
export function runsToForget(runs: readonly BackupRun[]): BackupRun[] {
  const without = runs.filter((run) => !isWhole(run) && !isUnfinished(run) && !run.leftovers)
  return without.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(recordsMax)
}

/**
 * Returns the backups whose removal was cut short: their runs succeeded, and no longer have a
 * backup.
 */
export const removedInPart = (runs: readonly BackupRun[]): BackupRun[] =>
  runs.filter((run) => run.kind === 'backup' && run.status === 'succeeded' && !isWhole(run))

export type RetentionPorts = Needs<
  | 'backupRuns'
  | 'backupTargets'
  | 'leases'
  | 'clock'
  | 'log'
  | 'background'
  | 'retentionStates'
  | 'stacks'
>

/**
 * Removes expired backups, and what is left of those whose removal was cut short. Returns warnings
 * about those that could not be removed. While the clock is not trusted, a job with `keep_days`
 * keeps all its backups.
 */
export async function applyRetention(
  job: BackupJob,
  signal: AbortSignal,
  ports: RetentionPorts,
): Promise<string[]> {
  const runs = await ports.backupRuns.list({ jobId: job.id, limit: Number.MAX_SAFE_INTEGER })
  for (const { id } of runsToForget(runs)) await ports.backupRuns.remove(id)
  const warnings: string[] = []
  if (job.retention.keepDays !== null && !(await isClockTrusted(ports))) {
    const why = 'the clock jumped or the service was down'
    ports.log.warn(`keep_days is not applied: ${why}`, { job: job.id })
    return warnings
  }
  const now = ports.clock.now()
  const kept = keptForUndo(await ports.stacks.list(), now)
  const over = [
    ...removedInPart(runs),
    ...expired(runs, job.retention, now).filter(({ id }) => !kept.has(id)),
  ]
  for (const run of over) {
    if (signal.aborted) break
    await removeBackup(run, job, signal, ports).catch((error) => {
      ports.log.warn('an old backup could not be removed', { run: run.id, error })
      warnings.push(
        `the backup ${run.id} could not be removed: ${publicMessage(error, 'it failed unexpectedly')}`,
      )
    })
  }
  return warnings
}

/** Milliseconds for which a backup is kept that was made before an update. */
const keptForUndoFor = 2 * day

/** Returns the backups that take updates back, and that no retention removes for that time. */
function keptForUndo(stacks: readonly StackRecord[], now: number): ReadonlySet<string> {
  const kept = stacks.flatMap(({ checkpoint, openUpdate, undo }) => [
    checkpoint?.runId,
    openUpdate?.checkpoint?.runId,
    undo && now - undo.at < keptForUndoFor ? undo.runId : undefined,
  ])
  return new Set(kept.filter((id) => id !== undefined))
}

/** Removes a backup and its record, unless it is being read. */
async function removeBackup(
  run: BackupRun,
  job: BackupJob,
  signal: AbortSignal,
  ports: RetentionPorts,
): Promise<void> {
  const holder = `${ports.background.processId}/remove ${run.id}`
  const lease = await ports.leases.acquire(readingLease(run.id), holder, leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, signal, ports, async (held) => {
    await removeObjects(run, job, held.signal, ports)
    await ports.backupRuns.remove(run.id)
  })
}

/**
 * Removes all objects of a run. The manifest goes first: without it whatever is left is not a
 * backup. The record of the run says so before that, because the process can end in between.
 */
export async function removeObjects(
  run: BackupRun,
  job: BackupJob | undefined,
  signal: AbortSignal,
  { backupRuns, backupTargets }: Pick<RetentionPorts, 'backupRuns' | 'backupTargets'>,
): Promise<void> {
  const target = await backupTargets.open(targetOf(run, job), signal)
  try {
    const names = (await target.list(run.directory, signal)).map(({ name }) => name)
    if (isWhole(run)) await backupRuns.save({ ...run, sha256: null, leftovers: true })
    const isManifest = (name: string) => name.startsWith(`${run.directory}/manifest.json`)
    const manifests = names.filter(isManifest)
    if (manifests.length > 0) await target.remove(manifests, signal)
    const others = names.filter((name) => !isManifest(name))
    if (others.length > 0) await target.remove(others, signal)
  } finally {
    await target.close()
  }
}

/** Milliseconds for removing an incomplete backup. */
const removalDeadline = 15_000

/** Removes the objects of an incomplete run, within `removalDeadline`. */
export const removeInTime = (
  run: BackupRun,
  job: BackupJob | undefined,
  ports: Pick<RetentionPorts, 'backupRuns' | 'backupTargets' | 'clock'>,
) => withDeadline(removalDeadline, ports.clock, (signal) => removeObjects(run, job, signal, ports))
