import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'

/** How long to wait for a lease. */
export interface LeaseWait {
  /** How long to wait while another process holds the lease. Milliseconds. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** The length of a lease that is not renewed: its work must end before it. Milliseconds. */
const leaseTime = 10_000

/** The time between two attempts. Milliseconds. */
const retryInterval = 50
/**
 * How much longer than its length a stale lease is watched. It has expired once this process has
 * seen it unchanged for its length. Milliseconds.
 */
export const staleExtra = 2_000

/**
 * Acquires a lease for a short critical section, which ends well within ten seconds. Waits for
 * other holders, and for the end of a lease whose holder seems to have died. Returns undefined if
 * that takes too long. For work that renews its lease, see `acquireWithRetry`.
 *
 * @throws the reason of the signal once it is aborted
 */
export async function acquireWithin(
  name: string,
  { timeout, signal }: LeaseWait,
  { clock, leases, random }: Needs<'clock' | 'leases' | 'random'>,
): Promise<Lease | undefined> {
  const holder = random.id()
  const startedAt = clock.monotonic()
  for (;;) {
    signal?.throwIfAborted()
    const lease = await leases.acquire(name, holder, leaseTime)
    if (lease) return lease
    const waited = clock.monotonic() - startedAt
    if (waited >= timeout) {
      const { isStale } = await leases.peek(name)
      if (!isStale || waited >= leaseTime + staleExtra) return undefined
    }
    await clock.sleep(retryInterval, signal)
  }
}
