import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IgnoredError, ignoredErrors } from '../../../functions/core/ignore-error.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { IgnoredCount } from '../../../functions/core/ports/own-process.ts'

/** The ignored errors of this process. */
export interface IgnoredErrors {
  counts(): IgnoredCount[]
  /** Stops counting. */
  close(): void
}

/** Counts the errors that `ignoreError` ignores, and logs each at level debug. */
export function countIgnoredErrors(log: Pick<Log, 'debug'>): IgnoredErrors {
  const counts = new Map<string, number>()
  const count = (message: unknown) => {
    const { work, error } = message as IgnoredError
    counts.set(work, (counts.get(work) ?? 0) + 1)
    log.debug('an error was ignored', { work, error })
  }
  subscribe(ignoredErrors.name, count)
  return {
    counts: () => [...counts].map(([work, count]) => ({ work, count })),
    close: () => void unsubscribe(ignoredErrors.name, count),
  }
}
