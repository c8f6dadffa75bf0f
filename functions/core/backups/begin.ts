import { holderOf } from '../acquire-with-retry.ts'
import { skewMax } from '../clock-skew.ts'
import type { Stored } from '../collection.ts'
import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../lease-renewal.ts'
import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { type CarryOutPorts, carryOutBackup } from './carry-out.ts'
import type { BackupJob } from './job.ts'
import { changeJob } from './jobs.ts'
import { recordRun } from './recorder.ts'
import { applyRetention } from './retention.ts'
import { type BackupRun, isWhole, noProgress } from './run.ts'
import { nextRun } from './schedule.ts'
import { takeGivenBack } from './take-given-back.ts'

export type BeginPorts = CarryOutPorts &
  Needs<'background' | 'leases' | 'random' | 'retentionStates'>

/** A run that was started. */
export interface BegunRun {
  run: BackupRun
  /** Resolves with the run once its end is recorded. Never rejects. */
  done: Promise<BackupRun>
}

/** How long a job stays locked after its holder died. Milliseconds. */
const held = 10_000

/**
 * Starts a run of a job.
 *
 * @throws 409 while another run of the job is in progress
 */
export async function beginBackup(
  job: Stored<BackupJob>,
  by: string,
  ports: BeginPorts,
): Promise<BegunRun> {
  const id = ports.random.id()
  const lease = await takeJob(job.id, id, ports)
  if (!lease) throw conflict(`backup job ${job.name}: a run is in progress`)
  return beginHeld(job, { id, by, lease }, ports)
}

/**
 * Starts a run of a job that is due, in only one of all processes. Returns undefined if another
 * process started it. If an earlier run is still in progress, the due run is skipped.
 */
export async function beginDue(
  due: Stored<BackupJob>,
  ports: BeginPorts,
): Promise<BegunRun | undefined> {
  const id = ports.random.id()
  const lease = await takeJob(due.id, id, ports)
  if (!lease) return skip(due, ports)
  const job = await ports.backupJobs.find(due.id).catch(async (error) => {
    await ports.leases.release(lease)
    throw error
  })
  if (job && isDue(job, ports.clock.now())) {
    return beginHeld(job, { id, by: 'schedule', lease }, ports)
  }
  await ports.leases.release(lease)
  return undefined
}

/**
 * Returns whether a job is due or overdue. A job whose last run is in the future is due too: its
 * next run was set by a clock that was ahead.
 */
export const isDue = ({ enabled, nextRunAt, lastRun }: BackupJob, now: number) =>
  enabled && nextRunAt !== null && (nextRunAt <= now || isOfFuture(lastRun, now))

const hour = 3_600_000

/**
 * Returns whether a run was started while the clock was ahead. The margin of an hour is more than
 * the clocks of processes differ.
 */
const isOfFuture = (run: BackupJob['lastRun'], now: number) =>
  run !== null && run.startedAt > now + hour

/**
 * Returns whether the time of a job's next run was set by a clock that was ahead: by the current
 * clock it is sooner.
 */
export const isPostponed = (job: BackupJob, now: number) => {
  const next = job.nextRunAt === null ? null : nextOf(job, now + skewMax)
  return next !== null && job.nextRunAt! > next
}

/** Returns when a job runs next by its schedule; null without a schedule or while disabled. */
export const nextOf = ({ schedule, timezone, enabled }: BackupJob, now: number) =>
  schedule === null || !enabled ? null : nextRun(schedule, timezone, now)

const takeJob = (jobId: string, runId: string, ports: BeginPorts) =>
  takeGivenBack(`backup:${jobId}`, holderOf(ports.background.processId, runId), held, ports)

async function skip(due: BackupJob, ports: BeginPorts): Promise<undefined> {
  const now = ports.clock.now()
  // Otherwise another process has just started this run.
  const isInTheWay = ({ lastRun, nextRunAt }: BackupJob) =>
    nextRunAt === due.nextRunAt && lastRun?.status === 'running' && lastRun.startedAt < nextRunAt!
  const isSkipped = await changeJob(
    due.id,
    (job) => (isInTheWay(job) ? { nextRunAt: nextOf(job, now) } : undefined),
    ports,
  )
  if (isSkipped) {
    ports.log.warn('a backup was skipped: the previous one is still running', {
      job: due.id,
      name: due.name,
    })
  }
  return undefined
}

async function beginHeld(
  job: BackupJob,
  { id, by, lease }: { id: string; by: string; lease: Lease },
  ports: BeginPorts,
): Promise<BegunRun> {
  let run: BackupRun
  try {
    run = newRun(job, id, by, lease.fence, ports)
    await ports.backupRuns.create(run)
    await noteRun(run, ports)
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
  const done = new Promise<BackupRun>((resolve) => {
    ports.background.run(`backup ${job.name}`, async (signal) => {
      let ended = run
      try {
        ended = await withLeaseRenewal(lease, signal, ports, (held) =>
          work(job, run, held.signal, ports),
        )
      } finally {
        resolve(ended)
      }
    })
  })
  return { run, done }
}

function newRun(
  job: BackupJob,
  id: string,
  by: string,
  fence: number,
  ports: BeginPorts,
): BackupRun {
  const directory = `${job.name}/${id}`
  return {
    ...{ id, kind: 'backup', jobId: job.id, jobName: job.name, hostId: job.hostId },
    ...{ status: 'running', error: null, startedAt: ports.clock.now(), finishedAt: null, by },
    ...{ target: job.target, directory },
    location: ports.backupTargets.location(job.target, directory),
    encrypted: isEncrypted(job),
    ...{ size: 0, sha256: null, contents: [], progress: noProgress, stopped: [] },
    ...{ leftovers: true, fence, warnings: [] },
  }
}

/**
 * Returns whether the runs of a job are encrypted. Backups of the service's own state always are.
 */
export const isEncrypted = ({ encrypt, sources }: Pick<BackupJob, 'encrypt' | 'sources'>) =>
  encrypt || sources.some(({ kind }) => kind === 'system')

async function work(
  job: BackupJob,
  run: BackupRun,
  signal: AbortSignal,
  ports: BeginPorts,
): Promise<BackupRun> {
  const recorder = recordRun(run, ports)
  const end = await carryOutBackup(job, recorder, signal, ports)
  await recorder.stop()
  if (isWhole(recorder.run) && !signal.aborted) {
    // The new backup is complete, so old ones may be removed now.
    const warnings = await applyRetention(job, signal, ports).catch((error) => {
      ports.log.warn('old backups could not be removed', { job: job.id, error })
      return ['old backups could not be removed']
    })
    await recorder.change({ warnings: [...recorder.run.warnings, ...warnings] }).catch(() => {})
  }
  const isOurs = await recorder.change({ ...end, finishedAt: ports.clock.now() })
  if (isOurs) await noteRun(recorder.run, ports)
  return recorder.run
}

/**
 * Updates the job's record with its newest run and the time of its next one. A run that was started
 * while the clock was ahead does not count as the newest once the clock is right.
 */
export async function noteRun(
  { id, jobId, status, startedAt, finishedAt, error }: BackupRun,
  ports: Needs<'backupJobs' | 'clock'>,
): Promise<void> {
  const lastRun = { id, status, startedAt, finishedAt, error }
  await changeJob(
    jobId,
    (job) => {
      const now = ports.clock.now()
      if (job.lastRun && job.lastRun.id > id && !isOfFuture(job.lastRun, now)) return undefined
      const isNew = job.lastRun?.id !== id
      return { lastRun, ...(isNew && { nextRunAt: nextOf(job, now) }) }
    },
    ports,
  )
}
