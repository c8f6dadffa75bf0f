import type { Reach } from '../../compose/project.ts'
import { Failure, wordsOf } from '../../errors.ts'
import type { OpenBackup } from '../open-backup.ts'
import type { RunRecorder } from '../recorder.ts'
import type { BackupRun } from '../run.ts'
import { startAgain } from '../services.ts'
import type { RestorePorts } from './begin.ts'
import { bringUp } from './bring-up.ts'
import { fillItems } from './fill.ts'
import type { RestorePlan } from './plan.ts'
import { replaceAll, undoMoves } from './replace.ts'
import { resetStacks } from './reset-stacks.ts'
import { removeOwn } from './volumes.ts'

/** A restore in progress. */
export interface RestoreWork {
  plan: RestorePlan
  backup: OpenBackup
  recorder: RunRecorder
  /** Aborted when a lease is lost or the service shuts down. */
  signal: AbortSignal
  /** The reach of the stacks: as far as the user who started the restore may let them reach. */
  reach: Reach
  /** Returns whether that user may read and deploy a stack. */
  mayDeploy(stack: string): Promise<boolean>
  by: string
  ports: RestorePorts
}

type RestoreEnd = Pick<BackupRun, 'status' | 'error' | 'leftOnHost'>

/**
 * Executes a restore. The whole backup is copied to the host and verified before existing data is
 * touched. Existing data is kept until the new data is complete, and put back on failure. Returns
 * the outcome, or undefined if this process may not continue; the process that takes the run over
 * then ends it. Never throws.
 */
export async function carryOutRestore(work: RestoreWork): Promise<RestoreEnd | undefined> {
  const { recorder, signal, ports } = work
  try {
    const filled = await fillItems(work)
    await replaceAll(filled, work)
    await recorder.change({ journal: { ...recorder.run.journal!, phase: 'deploying' } })
  } catch (error) {
    return undo(error, work)
  }
  try {
    const trouble = await bringUp(work)
    await startOthers(work)
    const leftOnHost = !(await tidy(trouble === undefined, work))
    if (trouble === undefined) return { status: 'succeeded', error: null, leftOnHost }
    return { status: 'failed', error: `${trouble}${keptNames(recorder.run)}`, leftOnHost }
  } catch (error) {
    if (signal.aborted) return undefined
    ports.log.error('a restore could not be completed', { run: recorder.run.id, error })
    const words = `${reasonOf(error)}${keptNames(recorder.run)}`
    return { status: 'failed', error: words, leftOnHost: true }
  }
}

/** Puts the previous data back. */
async function undo(error: unknown, work: RestoreWork): Promise<RestoreEnd | undefined> {
  const { recorder, signal, plan, ports } = work
  if (signal.aborted) return undefined
  const { run } = recorder
  if (!(error instanceof Failure)) ports.log.error('a restore failed', { run: run.id, error })
  const words = reasonOf(error)
  // The write of `deploying` may be what failed.
  const journal = { ...run.journal!, phase: 'replacing' as const }
  const was =
    journal.moved.length > 0
      ? 'everything was restored to its previous state'
      : 'nothing was changed'
  try {
    const engine = await ports.engines.on(plan.hostId)
    await recorder.change({ journal })
    await undoMoves(journal.moved, { engine, owner: run.id, signal }, (moved) =>
      recorder.change({ journal: { ...journal, moved } }),
    )
    await resetStacks(run, ports)
    const { left } = await startAgain(run.stopped, engine)
    await recorder.change({ stopped: left })
    await removeOwn(engine, run.id, journal.made, 'all')
    return { status: 'failed', error: `${words}; ${was}` }
  } catch (trouble) {
    ports.log.error('a restore could not be undone', { run: run.id, error: trouble })
    const why = `(${reasonOf(trouble)}): this will be retried`
    const kept = keptNames(recorder.run)
    const more = kept
      ? `it could not be undone yet ${why}${kept}`
      : `${was}, but what it created could not be removed yet ${why}`
    return { status: 'failed', error: `${words}; ${more}`, leftOnHost: true }
  }
}

/** Starts the stopped containers that do not belong to a deployed stack. */
async function startOthers({ plan, recorder, ports }: RestoreWork): Promise<void> {
  const { stopped } = recorder.run
  if (stopped.length === 0) return
  const engine = await ports.engines.on(plan.hostId)
  const { left, error } = await startAgain(stopped, engine)
  const names = left.map(({ name }) => name).join(', ')
  const more = error ? [`not restarted: ${names}: ${reasonOf(error)}`] : []
  // Not kept in `stopped`, because recovery would retry them forever.
  await recorder.change({ stopped: [], warnings: [...recorder.run.warnings, ...more] })
}

/**
 * Removes the staged volumes, and the previous data if the new stacks are up. Returns false on
 * failure.
 */
async function tidy(isUp: boolean, { plan, recorder, ports }: RestoreWork): Promise<boolean> {
  try {
    const engine = await ports.engines.on(plan.hostId)
    await removeOwn(engine, recorder.run.id, [], isUp ? 'all' : 'staged')
    return true
  } catch (error) {
    ports.log.warn('the temporary data of a restore could not be removed', {
      run: recorder.run.id,
      error,
    })
    return false
  }
}

/** Returns text that names the volumes with the previous data. */
export function keptNames({ journal }: BackupRun): string {
  const kept = (journal?.moved ?? []).flatMap(({ isWhole, aside }) => (isWhole && aside) || [])
  return kept.length === 0 ? '' : `; the previous data is in the volumes ${kept.join(', ')}`
}

const reasonOf = (error: unknown) => wordsOf(error, 'the service failed to complete it')
