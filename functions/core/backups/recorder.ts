import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'
import type { BackupRun, RunProgress } from './run.ts'

/** At most this often a run is written for its progress. Milliseconds. */
const pause = 500

/** A run while it goes on. */
export interface RunRecorder {
  readonly run: BackupRun
  /** Changes the run and writes it. False when somebody else has taken it over. Throws when the store does not answer. */
  change(change: Partial<BackupRun>): Promise<boolean>
  /** Tells how far it is; written soon, or with the next change. */
  progress(change: Partial<RunProgress>): void
  /** Nothing is written any more but by `change`. */
  stop(): Promise<void>
}

/** Writes one run, one write after the other. A write of progress that fails is made good by the next. */
export function recordRun(
  begun: BackupRun,
  { backupRuns, clock, log }: Needs<'backupRuns' | 'clock' | 'log'>,
): RunRecorder {
  let run = begun
  let isStale = false
  let writing: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  const over = new AbortController()

  const write = () => {
    const written = writing.then(() => {
      isStale = false
      return backupRuns.save(run)
    })
    writing = written.catch(() => {})
    return written
  }
  const writeSoon = async () => {
    while (isStale && !over.signal.aborted) {
      await clock.sleep(pause, over.signal)
      if (over.signal.aborted) return
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
      waiting ??= started(
        writeSoon().finally(() => {
          waiting = undefined
        }),
      )
    },
    async stop() {
      over.abort()
      await waiting
      await writing
    },
  }
}
