import { serviceRow } from '../../audit/row.ts'
import type { Needs } from '../../ports/ports.ts'
import { type BackupRun, isWhole } from '../../records/backup-run.ts'
import { engineUnlessRemoved } from './engine-unless-removed.ts'
import { recordLastRun } from './last-run.ts'
import { removeLeftovers } from './leftovers.ts'
import { recoverRuns } from './recover-runs.ts'
import { type RestartPorts, recoverStopped } from './restart-stopped.ts'

export type BackupRecoveryPorts = RestartPorts &
  Needs<
    | 'audit'
    | 'background'
    | 'backupJobs'
    | 'backupRuns'
    | 'backupTargets'
    | 'clock'
    | 'engines'
    | 'leases'
    | 'log'
    | 'random'
    | 'reminders'
  >

/**
 * Finds backups whose process died, by their expired lease, and ends each: starts the stopped
 * containers, removes incomplete objects from the target and sets the status `interrupted`. The
 * next call retries containers that could not be started.
 */
export async function recoverBackups(ports: BackupRecoveryPorts): Promise<void> {
  await recoverRuns('backup', ports, (run, signal) => recoverBackup(run, signal, ports))
  await recordMissedEnds(ports)
}

/** Updates the jobs whose last run ended in a process that died before it could note that. */
async function recordMissedEnds(ports: BackupRecoveryPorts): Promise<void> {
  for (const { lastRun } of await ports.backupJobs.list()) {
    if (lastRun?.status !== 'running') continue
    const run = await ports.backupRuns.find(lastRun.id)
    if (run && run.status !== 'running') await recordLastRun(run, ports)
  }
}

async function recoverBackup(
  found: BackupRun,
  signal: AbortSignal,
  ports: BackupRecoveryPorts,
): Promise<void> {
  const cleaned = await cleanUpHost(found, signal, ports)
  const run = { ...found, ...(cleaned ?? { leftOnHost: true }) }
  if (run.status !== 'running') {
    if (cleaned) await ports.backupRuns.save(run)
    return
  }
  ports.log.warn('a backup was interrupted: its process ended', { run: run.id })
  const over = ended(run, ports)
  if (!(await ports.backupRuns.save(over))) return
  await ports.audit.append(rowOf(over, ports))
  await recordLastRun(over, ports)
  if (over.leftovers) await removeLeftovers(over, ports.backupJobs.find(over.jobId), ports)
}

/**
 * Starts the stopped containers and removes the run's helpers from the Engine. Returns undefined if
 * that has to be retried. Nothing is left to do on a host that was removed.
 */
async function cleanUpHost(run: BackupRun, signal: AbortSignal, ports: BackupRecoveryPorts) {
  try {
    const engine = await engineUnlessRemoved(run.hostId, ports)
    if (!engine) return { stopped: [], leftOnHost: false }
    const host = { hostId: run.hostId, engine, signal }
    const { notStarted, warnings } = await recoverStopped(run.stopped, host, ports)
    await engine.removeArchiveHelpers(run.id)
    const all = [...run.warnings, ...warnings]
    return { stopped: notStarted, warnings: all, leftOnHost: false }
  } catch (error) {
    if (ports.reminders.isDue(`clean up ${run.id}`)) {
      ports.log.warn('a host could not be cleaned up after a backup', { run: run.id, error })
    }
    return undefined
  }
}

/**
 * Returns the run as ended. A run whose manifest was written is complete, whatever happened after
 * that.
 */
function ended(run: BackupRun, { clock }: BackupRecoveryPorts): BackupRun {
  const over = { ...run, finishedAt: clock.now() }
  if (isWhole(run)) return { ...over, status: 'succeeded' }
  const left = run.stopped.map(({ name }) => name).join(', ')
  const more = left === '' ? '' : `; not restarted yet: ${left}`
  const error = `the service ended while this was running${more}`
  return { ...over, status: 'interrupted', error }
}

const rowOf = ({ id, jobId, hostId, status }: BackupRun, { clock, random }: BackupRecoveryPorts) =>
  serviceRow({
    id: random.id(),
    at: clock.now(),
    action: 'backup-jobs.recover',
    outcome: status === 'succeeded' ? 'succeeded' : 'failed',
    subject: { kind: 'backup-jobs', id: jobId },
    hosts: [hostId],
    values: { run_id: id },
  })
