import type { Background, Log } from '../../functions/core/runtime.ts'
import { withWork } from './work-context.ts'

/** Work in the background that a shutdown can wait for. */
export interface WaitingBackground extends Background {
  /**
   * Waits until nothing is under way; work that is still going on after `milliseconds` is told to end and waited for.
   */
  drain(milliseconds: number): Promise<void>
}

/** Runs work beside the requests. What it throws is logged, never lost and never fatal. */
export function background(processId: string, log: Log): WaitingBackground {
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    processId,
    run(name, work) {
      const one = withWork({ work: name }, () => work(ending.signal))
        .catch((error) => log.error('background work failed', { work: name, error }))
        .finally(() => running.delete(one))
      running.add(one)
    },
    async drain(milliseconds) {
      const late = setTimeout(() => ending.abort(), milliseconds)
      while (running.size > 0) await Promise.all(running)
      clearTimeout(late)
    },
  }
}
