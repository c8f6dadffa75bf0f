import { serviceRow } from '../../audit/row.ts'
import { Failure } from '../../errors.ts'
import type { Needs } from '../../ports.ts'
import type { BackupRun, MovedPlace, RestoreJournal } from '../run.ts'
import { startAgain } from '../services.ts'
import { takeOver } from '../take-over.ts'
import { keptNames } from './carry-out.ts'
import { undoMoves } from './replace.ts'
import { resetStacks } from './reset-stacks.ts'
import { removeOwn } from './volumes.ts'

export type RecoverRestoresPorts = Needs<
  | 'audit'
  | 'background'
  | 'backupRuns'
  | 'clock'
  | 'engines'
  | 'leases'
  | 'log'
  | 'random'
  | 'stacks'
>

/**
 * Finds restores whose process died, by their expired lease, and restores that left work on an
 * unreachable host, and ends each. Unless all data was already in place, removes what the restore
 * created, puts the previous data back and starts the containers again. An unfinished run becomes
 * `interrupted`, and its error says which of the two happened.
 */
export async function recoverRestores(ports: RecoverRestoresPorts): Promise<void> {
  await takeOver('restore', ports, async (run, signal) => {
    ports.log.warn('a restore was interrupted: its process ended', { run: run.id })
    try {
      await finish(run, signal, ports)
    } catch (error) {
      // The host may be unreachable, so the next call retries.
      ports.log.warn('a restore could not be ended yet', { run: run.id, error })
    }
  })
}

async function finish(
  run: BackupRun,
  signal: AbortSignal,
  ports: RecoverRestoresPorts,
): Promise<void> {
  const journal: RestoreJournal = { phase: 'filling', made: [], moved: [], ...run.journal }
  const engine = await ports.engines.on(run.hostId)
  // Fails if the host is unreachable. That is retried, and does not count as a problem of the
  // restore.
  await engine.tidyArchives(run.id)
  const isInPlace = journal.phase === 'deploying'
  let trouble = ''
  if (!isInPlace) {
    const on = { engine, owner: run.id, signal }
    const note = (moved: MovedPlace[]) => {
      journal.moved = moved
      return ports.backupRuns.save({ ...run, journal })
    }
    await undoMoves(journal.moved, on, note).catch(async (error) => {
      if (!(error instanceof Failure)) throw error
      await engine.tidyArchives(run.id)
      trouble = `it could not be undone (${error.message})${keptNames(run)}`
    })
    if (trouble === '') await resetStacks(run, ports)
  }
  const { left } = await startAgain(run.stopped, engine)
  if (trouble === '') {
    const which = isInPlace && run.status !== 'succeeded' ? 'staged' : 'all'
    await removeOwn(engine, run.id, isInPlace ? [] : journal.made, which)
  }
  const tidied = { ...run, journal, stopped: left, leftOnHost: false }
  const ended: BackupRun =
    run.status === 'running'
      ? { ...tidied, ...interrupted(run, isInPlace, trouble), finishedAt: ports.clock.now() }
      : { ...tidied, error: laterError(run, isInPlace, trouble) }
  if (!(await ports.backupRuns.save(ended)) || run.status !== 'running') return
  await ports.audit.append(
    serviceRow({
      ...{ id: ports.random.id(), at: ports.clock.now(), action: 'backup-runs.recover' },
      outcome: trouble === '' ? 'succeeded' : 'failed',
      ...{ subject: { kind: 'backup-runs', id: run.id }, hosts: [run.hostId] },
    }),
  )
}

const asBefore = 'everything is in its previous state'

function interrupted(run: BackupRun, isInPlace: boolean, trouble: string) {
  const state = isInPlace
    ? `everything is restored, deploy the stacks if they are not running${keptNames(run)}`
    : asBefore
  const error = `the service ended while this was running; ${trouble || state}`
  return { status: 'interrupted', error } as const
}

/** Returns the error of a run that had already ended while its host was unreachable. */
function laterError({ error, leftOnHost }: BackupRun, isInPlace: boolean, trouble: string) {
  if (!leftOnHost || isInPlace || error === null) return error
  return `${error}; later: ${trouble || asBefore}`
}
