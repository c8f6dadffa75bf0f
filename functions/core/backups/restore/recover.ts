import { serviceRow } from '../../audit/row.ts'
import { Failure } from '../../errors.ts'
import type { Needs } from '../../ports.ts'
import type { BackupRun } from '../run.ts'
import { startAgain } from '../services.ts'
import { takeOver } from '../take-over.ts'
import { keptNames } from './carry-out.ts'
import { undoMoves } from './replace.ts'
import { removeOwn } from './volumes.ts'

export type RecoverRestoresPorts = Needs<
  'audit' | 'background' | 'backupRuns' | 'clock' | 'engines' | 'leases' | 'log' | 'random'
>

/** Milliseconds for which nobody else takes a run: to put back a large volume takes long. */
const held = 600_000

/**
 * Finds restores whose process died (their lease ran out) and ends each. What it has made is removed, what was there is put back
 * and started again; one that had everything in its place keeps it. It is `interrupted` and says which.
 */
export async function recoverRestores(ports: RecoverRestoresPorts): Promise<void> {
  await takeOver('restore', held, ports, async (run) => {
    ports.log.warn('a restore was left by a process that ended', { run: run.id })
    try {
      await finish(run, ports)
    } catch (error) {
      // Its host may be away: it is tried again.
      ports.log.warn('a restore could not be ended yet', { run: run.id, error })
    }
  })
}

async function finish(run: BackupRun, ports: RecoverRestoresPorts): Promise<void> {
  const journal = run.journal ?? { phase: 'filling', made: [], moved: [] }
  const engine = await ports.engines.on(run.hostId)
  const signal = new AbortController().signal
  const isInPlace = journal.phase === 'deploying'
  let trouble = ''
  if (!isInPlace) {
    await undoMoves(journal.moved, { engine, owner: run.id, signal }).catch((error) => {
      if (!(error instanceof Failure)) throw error
      trouble = `; it could not be put back as it was (${error.message})${keptNames(run)}`
    })
  }
  const { left } = await startAgain(run.stopped, engine)
  if (trouble === '') {
    await removeOwn(engine, run.id, isInPlace ? [] : journal.made, isInPlace ? 'staged' : 'all')
  }
  const state = isInPlace
    ? `all of it is restored, deploy the stacks if they do not run${keptNames(run)}`
    : 'everything is as it was before'
  const error = `the service ended in the middle of it; ${trouble === '' ? state : trouble.slice(2)}`
  const ended: BackupRun =
    run.status === 'running'
      ? { ...run, status: 'interrupted', error, finishedAt: ports.clock.now(), stopped: left }
      : { ...run, stopped: left }
  if (!(await ports.backupRuns.save(ended)) || run.status !== 'running') return
  await ports.audit.append(
    serviceRow({
      ...{ id: ports.random.id(), at: ports.clock.now(), action: 'backup-runs.recover' },
      outcome: trouble === '' ? 'succeeded' : 'failed',
      ...{ subject: { kind: 'backup-runs', id: run.id }, hosts: [run.hostId] },
    }),
  )
}
