import { invalidCredential } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Log } from '../../../functions/core/ports/log.ts'

/**
 * How far the clock of the process that issued a token may be ahead of that of the process that
 * verifies it. It does not extend tokens: their expiry is compared exactly. Milliseconds.
 */
const leeway = 5_000
/** Smaller differences are usual and not worth a warning. Milliseconds. */
const unusual = 1_000
/** Milliseconds between two warnings of a process. */
const warnEvery = 60_000

/**
 * Returns a check of the time at which a token was issued (milliseconds since the epoch). It warns
 * about clocks that differ by more than a second, at most once a minute. Call it only with tokens
 * whose signature is valid: otherwise anyone could cause the warning.
 *
 * @throws 401 if the token was issued further in the future than processes may differ
 */
export function issueTimeCheck(clock: Clock, log: Log): (issuedAt: number) => void {
  let warnedAt = -Infinity
  return (issuedAt) => {
    const ahead = issuedAt - clock.now()
    if (ahead <= unusual) return
    const seconds = Math.round(ahead / 100) / 10
    if (clock.monotonic() - warnedAt >= warnEvery) {
      warnedAt = clock.monotonic()
      log.warn('an access token was issued in the future: the clocks of the processes differ', {
        skew_seconds: seconds,
      })
    }
    if (ahead <= leeway) return
    throw invalidCredential({
      detail: `the access token was issued ${seconds} s in the future by the clock of this process`,
    })
  }
}
