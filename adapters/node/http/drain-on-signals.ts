import type { Log } from '../../../functions/core/ports.ts'

/** What a process is told with; a test passes its own. */
interface Signals {
  on(name: 'SIGTERM' | 'SIGINT', listener: (name: string) => void): unknown
  exit(code: number): void
}

/**
 * Ends the process in an orderly way on the first SIGTERM or SIGINT: `close` finishes what is under way and is told by
 * its signal when a second one wants it to end at once. Exit status 0, or 1 when `close` failed or was cut.
 */
export function drainOnSignals(
  close: (force: AbortSignal) => Promise<void>,
  log: Log,
  signals: Signals = process,
): void {
  const force = new AbortController()
  let closing = false
  const end = async (name: string) => {
    if (closing) {
      force.abort()
      signals.exit(1)
      return
    }
    closing = true
    log.info('the service is ending', { signal: name })
    try {
      await close(force.signal)
      log.info('the service has ended')
      signals.exit(0)
    } catch (error) {
      log.error('the service did not end in order', { error })
      signals.exit(1)
    }
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) signals.on(name, (sent) => void end(sent))
}
