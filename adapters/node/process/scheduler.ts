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
  schedules: Schedules,
  ports: object,
  { clock, log }: { clock: Clock; log: Log },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  // Each schedule waits for it, so many listeners are not a leak.
  setMaxListeners(0, stopping.signal)
  const loops = Object.entries(schedules).map(async ([name, load]) => {
    const { default: schedule } = await load()
    const run = schedule.with(ports)
    while (!stopping.signal.aborted) {
      await withWork({ work: name }, () => run(stopping.signal)).catch((error) =>
        logFailure(log, 'a schedule failed', { schedule: name, error }),
      )
      await clock.sleep(schedule.everySeconds * 1000, stopping.signal)
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
