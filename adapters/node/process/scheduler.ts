import { setMaxListeners } from 'node:events'
import { logFailure } from '../../../functions/core/log-failure.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Schedules } from '../../../functions/kit/schedule.ts'
import { withWork } from './work-context.ts'

/**
 * Runs the manifest's schedules until they are stopped. An error of a run is logged, and the next
 * run follows at its usual time.
 */
export function runSchedules(
  lines: Schedules,
  ports: object,
  { clock, log }: { clock: Clock; log: Log },
): { stop(): Promise<void> } {
  const over = new AbortController()
  // Each schedule waits for it, so many listeners are not a leak.
  setMaxListeners(0, over.signal)
  const loops = Object.entries(lines).map(async ([name, load]) => {
    const { default: one } = await load()
    const run = one.with(ports)
    while (!over.signal.aborted) {
      await withWork({ work: name }, () => run(over.signal)).catch((error) =>
        logFailure(log, 'a schedule failed', { schedule: name, error }),
      )
      await clock.sleep(one.everySeconds * 1000, over.signal)
    }
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(loops)
    },
  }
}
