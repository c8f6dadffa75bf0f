import { Failure, failureReason, publicMessage } from '../../errors.ts'
import { logFailure } from '../../log-failure.ts'
import type { BackupRun, StoppedContainer } from '../../records/backup-run.ts'
import { retryTransient } from '../../time/retry-transient.ts'
import { restartStopped, runPostStarts, startStopped } from '../runs/restart-stopped.ts'
import type { RestoreExecution } from './execute-restore.ts'
import { journalOf, keptNames, keptWarning } from './journal.ts'
import { resetStacks } from './reset-stacks.ts'
import { type RestoreWork, retryOptions } from './restore-work.ts'
import { undoMoves } from './undo-moves.ts'
import { withoutUndone } from './undone-containers.ts'
import { removeRunVolumes } from './volumes.ts'

type RestoreEnd = Pick<BackupRun, 'status' | 'error' | 'reason' | 'leftOnHost'> &
  Partial<Pick<BackupRun, 'warnings'>>

/**
 * Ends a restore: removes what is no longer needed or, if the data is not in its place, puts the
 * previous data back. Durable after it: the run with its final status. If this process may not
 * continue, the run stays `running`, and `recoverRestores` ends it. Never throws.
 */
export async function finishRestore(execution: RestoreExecution, work: RestoreWork): Promise<void> {
  const { recorder, ports } = work
  const end = execution.isInPlace ? await complete(execution, work) : await undo(execution, work)
  await recorder.stop()
  if (!end) return ports.log.warn('a restore is left to recovery', { run: recorder.run.id })
  await recorder.change({ ...end, finishedAt: ports.clock.now() }).catch((error) => {
    logFailure(ports.log, 'a restore could not be recorded', { run: recorder.run.id, error })
  })
}

/** Starts the stopped containers and removes the helper volumes. */
async function complete(
  { failure, trouble }: RestoreExecution,
  work: RestoreWork,
): Promise<RestoreEnd | undefined> {
  const { recorder, signal, ports } = work
  try {
    if (failure) throw failure.error
    await startOthers(work)
    const leftOnHost = !(await cleanUp(trouble === undefined && !work.undo, work))
    if (trouble === undefined) {
      const warnings = [...recorder.run.warnings, ...keptWarning(recorder.run)]
      return { status: 'succeeded', error: null, leftOnHost, warnings }
    }
    return { status: 'failed', error: `${trouble}${keptNames(recorder.run)}`, leftOnHost }
  } catch (error) {
    if (signal.aborted) return undefined
    logFailure(ports.log, 'a restore could not be completed', { run: recorder.run.id, error })
    const text = `${reasonOf(error)}${keptNames(recorder.run)}`
    return { status: 'failed', error: text, reason: failureReason(error), leftOnHost: true }
  }
}

/** Puts the previous data back. */
async function undo(
  { failure }: RestoreExecution,
  work: RestoreWork,
): Promise<RestoreEnd | undefined> {
  const { recorder, signal, plan, ports } = work
  if (signal.aborted) return undefined
  const { run } = recorder
  const error = failure?.error
  if (!(error instanceof Failure)) logFailure(ports.log, 'a restore failed', { run: run.id, error })
  const text = reasonOf(error)
  const failed = { status: 'failed' as const, reason: failureReason(error) }
  // The write of `deploying` may be what failed.
  const journal = { ...journalOf(run), phase: 'replacing' as const }
  const state =
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
    const host = { hostId: plan.hostId, engine, signal }
    const { notStarted, warnings } = await restartStopped(run.stopped, host, ports)
    await recorder.change({ stopped: notStarted, warnings: [...run.warnings, ...warnings] })
    await removeRunVolumes(engine, run.id, journal.made, 'all')
    return { ...failed, error: `${text}; ${state}` }
  } catch (trouble) {
    logFailure(ports.log, 'a restore could not be undone', { run: run.id, error: trouble })
    const why = `(${reasonOf(trouble)}): this will be retried`
    const kept = keptNames(recorder.run)
    const more = kept
      ? `it could not be undone yet ${why}${kept}`
      : `${state}, but what it created could not be removed yet ${why}`
    return { ...failed, error: `${text}; ${more}`, leftOnHost: true }
  }
}

/** Starts the stopped containers that do not belong to a deployed stack. */
async function startOthers(work: RestoreWork): Promise<void> {
  const { plan, recorder, signal, ports } = work
  if (recorder.run.stopped.length === 0) return
  const engine = await ports.engines.on(plan.hostId)
  let left = await withoutUndone(recorder.run.stopped, recorder.run, engine)
  const running: StoppedContainer[] = []
  const start = async () => {
    const { started, notStarted, error } = await startStopped(left, engine)
    left = notStarted
    running.push(...started)
    if (error) throw error
  }
  const error = await retryTransient(start, retryOptions(work), ports).catch((error) => {
    signal.throwIfAborted()
    return error
  })
  const hookWarnings = await runPostStarts(running, { hostId: plan.hostId, engine, signal }, ports)
  const names = left.map(({ name }) => name).join(', ')
  const more = error ? [`not restarted: ${names}: ${reasonOf(error)}`] : []
  // Not kept in `stopped`, because recovery would retry them forever.
  const warnings = [...recorder.run.warnings, ...hookWarnings, ...more]
  await recorder.change({ stopped: [], warnings })
}

/**
 * Removes the staged volumes, and the previous data if it is no longer needed. Returns false on
 * failure.
 */
async function cleanUp(isOver: boolean, { plan, recorder, ports }: RestoreWork): Promise<boolean> {
  try {
    const engine = await ports.engines.on(plan.hostId)
    await removeRunVolumes(engine, recorder.run.id, [], isOver ? 'all' : 'staged')
    return true
  } catch (error) {
    ports.log.warn('the temporary data of a restore could not be removed', {
      run: recorder.run.id,
      error,
    })
    return false
  }
}

const reasonOf = (error: unknown) => publicMessage(error, 'the service failed to complete it')
