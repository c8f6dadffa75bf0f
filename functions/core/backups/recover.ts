import { serviceRow } from '../audit/row.ts'
import type { Needs } from '../ports.ts'
import { noteRun } from './begin.ts'
import { removeLeft } from './leftovers.ts'
import { type BackupRun, isWhole } from './run.ts'
import { startAgain } from './services.ts'
import { takeOver } from './take-over.ts'

export type RecoverPorts = Needs<
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
>

/**
 * Finds backups whose process died, by their expired lease, and ends each: starts the stopped
 * containers, removes incomplete objects from the target and sets the status `interrupted`. The
 * next call retries containers that could not be started.
 */
export async function recoverBackups(ports: RecoverPorts): Promise<void> {
  await takeOver('backup', ports, (run) => finish(run, ports))
  await noteEnds(ports)
}

/** Updates the jobs whose last run ended in a process that died before it could note that. */
async function noteEnds(ports: RecoverPorts): Promise<void> {
  for (const { lastRun } of await ports.backupJobs.list()) {
    if (lastRun?.status !== 'running') continue
    const run = await ports.backupRuns.find(lastRun.id)
    if (run && run.status !== 'running') await noteRun(run, ports)
  }
}

async function finish(found: BackupRun, ports: RecoverPorts): Promise<void> {
  const run = { ...found, ...(await startStopped(found, ports)) }
  if (run.status !== 'running') {
    await ports.backupRuns.save(run)
    return
  }
  ports.log.warn('a backup was interrupted: its process ended', { run: run.id })
  const over = ended(run, ports)
  if (!(await ports.backupRuns.save(over))) return
  await ports.audit.append(rowOf(over, ports))
  await noteRun(over, ports)
  if (over.leftovers) await removeLeft(over, ports.backupJobs.find(over.jobId), ports)
}

/** Starts the stopped containers and removes the run's helpers from the Engine. */
async function startStopped(run: BackupRun, ports: RecoverPorts) {
  try {
    const engine = await ports.engines.on(run.hostId)
    const { left } = await startAgain(run.stopped, engine)
    await engine.tidyArchives(run.id)
    return { stopped: left, leftOnHost: false }
  } catch (error) {
    ports.log.warn('a host could not be cleaned up after a backup', { run: run.id, error })
    return { stopped: run.stopped }
  }
}

/**
 * Returns the run as ended. A run whose manifest was written is complete, whatever happened after
 * that.
 */
function ended(run: BackupRun, { clock }: RecoverPorts): BackupRun {
  const over = { ...run, finishedAt: clock.now() }
  if (isWhole(run)) return { ...over, status: 'succeeded' }
  const left = run.stopped.map(({ name }) => name).join(', ')
  const more = left === '' ? '' : `; not restarted yet: ${left}`
  const error = `the service ended while this was running${more}`
  return { ...over, status: 'interrupted', error }
}

const rowOf = ({ id, jobId, hostId, status }: BackupRun, { clock, random }: RecoverPorts) =>
  serviceRow({
    ...{ id: random.id(), at: clock.now(), action: 'backup-jobs.recover' },
    outcome: status === 'succeeded' ? 'succeeded' : 'failed',
    ...{ subject: { kind: 'backup-jobs', id: jobId }, hosts: [hostId] },
    values: { run_id: id },
  })
