import { serviceRow } from '../audit/row.ts'
import type { Needs } from '../ports.ts'
import { noteRun } from './begin.ts'
import { removeInTime } from './retention.ts'
import { type BackupRun, isUnfinished, isWhole, runLease } from './run.ts'
import { startAgain } from './services.ts'

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

/** Milliseconds for one run, in which nobody else takes it. */
const held = 60_000

/**
 * Finds backups whose process died (their lease ran out) and ends each: what it stopped is started again, what it left at the
 * target is removed, it is `interrupted`. What cannot be started now is tried again at the next time.
 */
export async function recoverBackups(ports: RecoverPorts): Promise<void> {
  const runs = await ports.backupRuns.listUnfinished()
  const backups = runs.filter(({ kind }) => kind === 'backup')
  await Promise.all(backups.map((run) => recover(run, ports)))
}

async function recover({ id, ...found }: BackupRun, ports: RecoverPorts): Promise<void> {
  const { leases, background, backupRuns } = ports
  const name = runLease({ id, ...found })
  if ((await leases.look(name)).held) return
  const lease = await leases.take(name, `${background.processId}/recover ${id}`, held)
  if (!lease) return
  try {
    const run = await backupRuns.find(id)
    if (run && isUnfinished(run)) await finish({ ...run, fence: lease.fence }, ports)
  } finally {
    await leases.release(lease)
  }
}

async function finish(run: BackupRun, ports: RecoverPorts): Promise<void> {
  const started = await startStopped(run, ports)
  const next =
    run.status === 'running' ? ended({ ...run, ...started }, ports) : { ...run, ...started }
  if (run.status !== 'running') {
    await ports.backupRuns.save(next)
    return
  }
  ports.log.warn('a backup was left running by a process that ended', { run: run.id })
  if (!(await ports.backupRuns.save(next))) return
  await ports.audit.append(rowOf(next, ports))
  await noteRun(next, ports)
  if (next.leftovers) await removeLeft(next, ports)
}

/** Also what reading needed on the Engine goes. */
async function startStopped(run: BackupRun, ports: RecoverPorts) {
  try {
    const engine = await ports.engines.on(run.hostId)
    const { left } = await startAgain(run.stopped, engine)
    await engine.tidyArchives(run.id)
    return { stopped: left }
  } catch (error) {
    ports.log.warn('a host could not be tidied after a backup', { run: run.id, error })
    return { stopped: run.stopped }
  }
}

/** One that has its manifest is whole, whatever happened afterwards. */
function ended(run: BackupRun, { clock }: RecoverPorts): BackupRun {
  const over = { ...run, finishedAt: clock.now() }
  if (isWhole(run)) return { ...over, status: 'succeeded' }
  const left = run.stopped.map(({ name }) => name).join(', ')
  const more = left === '' ? '' : `; not started again yet: ${left}`
  const error = `the service ended in the middle of it${more}`
  return { ...over, status: 'interrupted', error }
}

async function removeLeft(run: BackupRun, ports: RecoverPorts): Promise<void> {
  try {
    const job = await ports.backupJobs.find(run.jobId)
    await removeInTime(run, job, ports)
    await ports.backupRuns.save({ ...run, leftovers: false })
  } catch (error) {
    ports.log.warn('what is left of a backup could not be removed', { run: run.id, error })
  }
}

const rowOf = ({ id, jobId, hostId, status }: BackupRun, { clock, random }: RecoverPorts) =>
  serviceRow({
    ...{ id: random.id(), at: clock.now(), action: 'backup-jobs.recover' },
    outcome: status === 'succeeded' ? 'succeeded' : 'failed',
    ...{ subject: { kind: 'backup-jobs', id: jobId }, hosts: [hostId] },
    values: { run_id: id },
  })
