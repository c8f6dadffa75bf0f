import { internalError } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import { markHandled } from '../../promises.ts'
import type { BackupRun, RunProgress } from '../../records/backup-run.ts'

/** Minimum milliseconds between two writes of a run's progress. */
const writeInterval = 500

/** A run in progress and its record. */
export interface RunRecorder {
  readonly run: BackupRun
  /**
   * Changes the run and writes it. Returns false if another process has taken the run over. Throws
   * if the store does not respond.
   */
  change(change: Partial<BackupRun>): Promise<boolean>
  /** Updates the progress. It is written soon, or with the next change. */
  progress(change: Partial<RunProgress>): void
  /** Ends the writes of progress. Only `change` still writes. */
  stop(): Promise<void>
}

/**
 * Changes a run and writes it.
 *
 * @throws 500 if another process recovers the run, and what the store throws
 */
export async function changeOrFail(
  recorder: RunRecorder,
  change: Partial<BackupRun>,
): Promise<void> {
  if (await recorder.change(change)) return
  throw internalError('another process has taken it over', { reason: 'lease-held' })
}

/**
 * Returns a recorder that writes one run, one write at a time. The next write of progress makes up
 * for one that fails.
 */
export function startRecorder(
  initial: BackupRun,
  { backupRuns, clock, log }: Needs<'backupRuns' | 'clock' | 'log'>,
): RunRecorder {
  let run = initial
  let isStale = false
  let writing: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  const stopped = new AbortController()

  const write = () => {
    const written = writing.then(() => {
      isStale = false
      return backupRuns.save(run)
    })
    writing = Promise.allSettled([written])
    return written
  }
  const writeSoon = async () => {
    while (isStale && !stopped.signal.aborted) {
      await clock.sleep(writeInterval, stopped.signal)
      if (stopped.signal.aborted) return
      await write().catch((error) => {
        log.warn('the progress of a backup could not be written', { error })
      })
    }
  }
  return {
    get run() {
      return run
    },
    change(change) {
      run = { ...run, ...change }
      return write()
    },
    progress(change) {
      run = { ...run, progress: { ...run.progress, ...change } }
      isStale = true
      waiting ??= markHandled(
        writeSoon().finally(() => {
          waiting = undefined
        }),
      )
    },
    async stop() {
      stopped.abort()
      await waiting
      await writing
    },
  }
}
