import type { Clock } from '../../functions/core/ports/clock.ts'
import { systemClock } from '../node/process/clock.ts'

/** A clock that counts the time for which a process was frozen. */
export interface RequestClock extends Clock {
  /** Takes note of the time at which the gateway received a request. Milliseconds, as in `now`. */
  received(at: number): void
}

/**
 * Returns the clock of a cloud function. Its process is frozen between two requests, and the
 * monotonic clock of the machine may stand still meanwhile: what was read a second ago by that
 * clock may be hours old. This one also follows the wall clock and the times of requests, whichever
 * is ahead, and never goes back. If both are set back, it misses freezes up to that length.
 */
export function requestClock(system: Clock = systemClock): RequestClock {
  /** The wall clock at the start of the monotonic one. */
  const began = system.now() - system.monotonic()
  /** For how long the process was frozen, as far as is known. Milliseconds. */
  let frozen = 0
  const received = (at: number) => {
    const lag = at - began - system.monotonic()
    if (lag > frozen) frozen = lag
  }
  return {
    ...system,
    monotonic() {
      received(system.now())
      return system.monotonic() + frozen
    },
    received,
  }
}
