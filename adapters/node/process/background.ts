import { logFailure } from '../../../functions/core/log-failure.ts'
import type { Background } from '../../../functions/core/ports/background.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { withWork } from './work-context.ts'

/** Background work that a shutdown can wait for. */
export interface WaitingBackground extends Background {
  /** Waits until no work is running. */
  idle(): Promise<void>
  /**
   * Waits until all work has ended. Work that takes longer than `milliseconds` is aborted, and
   * waited for too.
   */
  drain(milliseconds: number): Promise<void>
}

/** Returns a runner of background work. Errors of the work are logged and never end the process. */
export function background(processId: string, log: Log): WaitingBackground {
  const stopping = new AbortController()
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  const idle = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  return {
    idle,
    processId,
    stopping: stopping.signal,
    run(name, work) {
      const one = withWork({ work: name }, () => work(ending.signal))
        .catch((error) => logFailure(log, 'background work failed', { work: name, error }))
        .finally(() => running.delete(one))
      running.add(one)
    },
    async drain(milliseconds) {
      stopping.abort()
      const late = setTimeout(() => ending.abort(), milliseconds)
      await idle()
      clearTimeout(late)
    },
  }
}
