import type { Log } from '../../../functions/core/ports/log.ts'
import type { UnhandledCount } from '../../../functions/core/ports/own-process.ts'
import { isHarmless } from '../../../functions/core/unhandled.ts'
import { currentWork, recentWork, traceWork } from './work-context.ts'

/** Unhandled errors, counted since the process started. */
export interface LastResort {
  counts(): readonly UnhandledCount[]
  /**
   * Resolves when an error left the process in an inconsistent state: it must shut down with exit
   * code 1.
   */
  readonly broken: Promise<void>
  /** Restores the default behaviour of Node. */
  remove(): void
}

/**
 * Keeps unhandled errors from ending the process, and logs and counts them. After an unhandled
 * rejection the process keeps serving, because only one piece of work stopped at an `await`. After
 * an uncaught exception `broken` resolves unless the error `isHarmless`. The log names the request
 * that started the work. The first error names the most recent requests instead, because work is
 * traced only from then on.
 */
export function lastResort(log: Log): LastResort {
  const counts = { rejection: 0, exception: 0 }
  let end = () => {}
  const broken = new Promise<void>((resolve) => {
    end = resolve
  })
  const report = (kind: keyof typeof counts, message: string, error: unknown) => {
    counts[kind] += 1
    const known = currentWork()
    const where = known
      ? { request_id: known.requestId ?? null, work: known.work ?? null }
      : { request_id: null, recent_requests: recentWork() }
    log.error(message, { ...where, error: errorOf(error) })
    // Trace from now on: the next error names its own request.
    traceWork()
  }
  const onRejection = (error: unknown) => report('rejection', 'unhandled rejection', error)
  const onException = (error: unknown) => {
    report('exception', 'uncaught exception', error)
    if (!isHarmless(error)) end()
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return {
    counts: () => Object.entries(counts).map(([kind, count]) => ({ kind, count })),
    broken,
    remove() {
      process.off('unhandledRejection', onRejection)
      process.off('uncaughtException', onException)
    },
  }
}

/** The logger can only write instances of Error. */
const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`not an error: ${String(thrown).slice(0, 200)}`)
