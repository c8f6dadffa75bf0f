import type { LeaseSnapshot } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { staleExtra } from './acquire-within.ts'
import { leaseTime } from './lease-renewal.ts'

/**
 * Returns the name under which a run holds a lease. `acquireWithRetry` does not wait for holders
 * that name no run.
 */
export const holderOf = (processId: string, runId: string) => `${processId}/${runId}`

/**
 * Returns the name under which recovery of a run holds its lease. It names the run, which may end a
 * moment before the lease is released.
 */
export const recoveryHolderOf = (processId: string, runId: string) =>
  `${processId}/recover/${runId}`

/** Returns the ID of the run in the name of a holder. */
export const runOf = (holder: string) => holder.slice(holder.lastIndexOf('/') + 1)

/**
 * The pause after this many tries, in milliseconds. Short at first, because a lease of a finished
 * run is released soon.
 */
const pauseAfter = (tries: number) => Math.min(5 * tries, 50)
const triesMax = 45
/** How long to watch a lease that its holder seems to have stopped renewing. Milliseconds. */
const watchedMax = leaseTime + staleExtra

/**
 * Retries while a lease is held by a run that is already reported as finished, or by a process that
 * seems to have ended. Returns undefined if an active run holds it.
 */
export async function acquireWithRetry<T>(
  lease: string,
  attempt: () => Promise<T | undefined>,
  hasEnded: (runId: string) => Promise<boolean>,
  { clock, leases }: Needs<'clock' | 'leases'>,
): Promise<T | undefined> {
  const begun = clock.monotonic()
  let stale: LeaseSnapshot | undefined
  let watched = 0
  for (let tries = 1; ; tries += 1) {
    const got = await attempt()
    if (got) return got
    const seen = await leases.peek(lease)
    const isAlive = stale !== undefined && seen.held && seen.revision !== stale.revision
    if (seen.isStale) stale ??= seen
    const watches = seen.isStale && !isAlive && clock.monotonic() - begun < watchedMax
    if (watches) watched += 1
    else {
      const isReleased = !seen.held || (await hasEnded(runOf(seen.holder ?? '')))
      // The lease may have ended since the last attempt.
      if (tries - watched >= triesMax || !isReleased) return undefined
    }
    await clock.sleep(pauseAfter(tries))
  }
}
