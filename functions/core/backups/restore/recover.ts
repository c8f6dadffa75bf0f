import { serviceRow } from '../../audit/row.ts'
import { Failure } from '../../errors.ts'
import type { Needs } from '../../ports.ts'
import { type BackupRun, isUnfinished, runLease } from '../run.ts'
import { startAgain } from '../services.ts'
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
  const runs = await ports.backupRuns.listUnfinished()
  const restores = runs.filter(({ kind }) => kind === 'restore')
  await Promise.all(restores.map((run) => recover(run, ports)))
}

async function recover(found: BackupRun, ports: RecoverRestoresPorts): Promise<void> {
  const { leases, background, backupRuns, log } = ports
  if ((await leases.look(runLease(found))).held) return
  const holder = `${background.processId}/recover ${found.id}`
  const lease = await leases.take(runLease(found), holder, held)
  if (!lease) return
  try {
    const run = await backupRuns.find(found.id)
    if (!run || !isUnfinished(run)) return
    log.warn('a restore was left by a process that ended', { run: run.id })
    await finish({ ...run, fence: lease.fence }, ports)
  } catch (error) {
    // Its host may be away: it is tried again.
    log.warn('a restore could not be ended yet', { run: found.id, error })
  } finally {
    await leases.release(lease)
  }
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
