import { serviceRow } from '../../audit/row.ts'
import { Failure } from '../../errors.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupRun, RestoreJournal } from '../../records/backup-run.ts'
import { engineUnlessRemoved } from '../runs/engine-unless-removed.ts'
import { recoverRuns } from '../runs/recover-runs.ts'
import { type RestartPorts, recoverStopped } from '../runs/restart-stopped.ts'
import { journalOf, keptNames } from './journal.ts'
import { resetStacks } from './reset-stacks.ts'
import { undoMoves } from './undo-moves.ts'
import { withoutUndone } from './undone-containers.ts'
import { removeRunVolumes } from './volumes.ts'

export type RestoreRecoveryPorts = RestartPorts &
  Needs<
    | 'audit'
    | 'background'
    | 'backupRuns'
    | 'clock'
    | 'engines'
    | 'leases'
    | 'log'
    | 'owners'
    | 'random'
    | 'reminders'
    | 'stacks'
  >

/**
 * Finds restores whose process died, by their expired lease, and restores that left work on a host,
 * and ends each. Unless all data was already in place, removes what the restore created, puts the
 * previous data back and starts the containers again. An unfinished run becomes `interrupted`, and
 * its error says what happened. What cannot be undone is retried by the next call.
 */
export async function recoverRestores(ports: RestoreRecoveryPorts): Promise<void> {
  await recoverRuns('restore', ports, async (run, signal) => {
    if (run.status === 'running' && ports.reminders.isDue(`interrupted ${run.id}`)) {
      ports.log.warn('a restore was interrupted: its process ended', { run: run.id })
    }
    await recoverRestore(run, signal, ports)
  })
}

async function recoverRestore(run: BackupRun, signal: AbortSignal, ports: RestoreRecoveryPorts) {
  const engine = await engineUnlessRemoved(run.hostId, ports)
  if (!engine) return endWithoutHost(run, ports)
  // Fails if the host is unreachable. That is retried, and does not count as a problem of the
  // restore.
  await engine.removeArchiveHelpers(run.id)
  const journal = journalOf(run)
  const isInPlace = journal.phase === 'deploying'
  const trouble = isInPlace ? undefined : await undo(run, journal, engine, signal, ports)
  if (trouble !== undefined) return recordTrouble(run, journal, trouble, ports)
  const host = { hostId: run.hostId, engine, signal }
  const stopped = isInPlace ? await withoutUndone(run.stopped, run, engine) : run.stopped
  const restarted = await recoverStopped(stopped, host, ports)
  const isKept = isInPlace && (run.status !== 'succeeded' || run.undoes !== undefined)
  const which = isKept ? 'staged' : 'all'
  await removeRunVolumes(engine, run.id, isInPlace ? [] : journal.made, which)
  const warnings = [...run.warnings, ...restarted.warnings]
  const tidied = { ...run, journal, stopped: restarted.notStarted, warnings, leftOnHost: false }
  if (run.status === 'running') {
    const error = isInPlace
      ? `everything is restored, deploy the stacks if they are not running${keptNames(run)}`
      : asBefore
    return recordEnd(interrupted(tidied, error, ports), 'succeeded', ports)
  }
  await ports.backupRuns.save({ ...tidied, error: laterError(run, isInPlace) })
}

/** Ends a run whose host was removed from the service. Nothing can be undone there. */
async function endWithoutHost(run: BackupRun, ports: RestoreRecoveryPorts): Promise<void> {
  const over = { ...run, stopped: [], leftOnHost: false }
  if (run.status !== 'running') return void (await ports.backupRuns.save(over))
  await recordEnd(interrupted(over, 'its host was removed', ports), 'failed', ports)
}

/**
 * Puts the previous data and the records of the stacks back. Returns what prevented that, or
 * undefined.
 */
async function undo(
  run: BackupRun,
  journal: RestoreJournal,
  engine: Engine,
  signal: AbortSignal,
  ports: RestoreRecoveryPorts,
): Promise<string | undefined> {
  try {
    await undoMoves(journal.moved, { engine, owner: run.id, signal }, (moved) => {
      journal.moved = moved
      return ports.backupRuns.save({ ...run, journal })
    })
    await resetStacks(run, ports)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await engine.removeArchiveHelpers(run.id)
    return error.message
  }
}

/**
 * Ends a run that could not be undone, and keeps it for the next call. The stopped containers stay
 * stopped, because their data is incomplete.
 */
async function recordTrouble(
  run: BackupRun,
  journal: RestoreJournal,
  trouble: string,
  ports: RestoreRecoveryPorts,
): Promise<void> {
  if (ports.reminders.isDue(`undo ${run.id}`)) {
    ports.log.warn('a restore could not be undone', { run: run.id, error: trouble })
  }
  if (run.status !== 'running') return
  const left = { ...run, journal, leftOnHost: true }
  const error = `it could not be undone yet (${trouble}): this will be retried${keptNames(left)}`
  await recordEnd(interrupted(left, error, ports), 'failed', ports)
}

const interrupted = (
  run: BackupRun,
  error: string,
  { clock }: RestoreRecoveryPorts,
): BackupRun => ({
  ...run,
  status: 'interrupted',
  finishedAt: clock.now(),
  error: `the service ended while this was running; ${error}`,
})

/** Saves the end of a run with its audit row. */
async function recordEnd(
  run: BackupRun,
  outcome: 'succeeded' | 'failed',
  ports: RestoreRecoveryPorts,
): Promise<void> {
  if (!(await ports.backupRuns.save(run))) return
  await ports.audit.append(
    serviceRow({
      id: ports.random.id(),
      at: ports.clock.now(),
      action: 'backup-runs.recover',
      outcome,
      subject: { kind: 'backup-runs', id: run.id },
      hosts: [run.hostId],
    }),
  )
}

const asBefore = 'everything is in its previous state'

/** Returns the error of a run that had already ended while work was left on its host. */
const laterError = ({ error, leftOnHost }: BackupRun, isInPlace: boolean) =>
  !leftOnHost || isInPlace || error === null ? error : `${error}; later: ${asBefore}`
