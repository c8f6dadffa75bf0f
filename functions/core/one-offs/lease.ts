import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'

/**
 * How long a one-off container stays without a feed. A feed renews the lease, and the sweep removes
 * containers without one. Milliseconds.
 */
const leaseTime = 30_000

const nameOf = (id: string) => `one-off:${id}`

/**
 * Acquires the lease of a one-off container for its feed, or renews it. Returns undefined if the
 * sweep holds it.
 */
export function acquireFeedLease(
  { id }: Pick<OneOff, 'id'>,
  { leases }: Needs<'leases'>,
): Promise<Lease | undefined> {
  // The same holder in every process: the record says which feed is attached.
  return leases.acquire(nameOf(id), 'feed', leaseTime)
}

/**
 * Acquires the lease of a one-off container for its removal. Returns undefined if a feed holds it.
 */
export function acquireSweepLease(
  { id }: Pick<OneOff, 'id'>,
  { leases, background }: Needs<'leases' | 'background'>,
): Promise<Lease | undefined> {
  return leases.acquire(nameOf(id), `${background.processId}/sweep`, leaseTime)
}
