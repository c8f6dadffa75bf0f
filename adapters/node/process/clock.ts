import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import { ignoreAbort } from '../../../functions/core/promises.ts'

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(ignoreAbort),
}
