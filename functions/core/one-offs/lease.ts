import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'

/**
 * How long a one-off container stays without a feed. Its feed renews the lease, and the sweep
 * removes what has none. Milliseconds.
 */
const length = 30_000

const nameOf = (id: string) => `one-off:${id}`

/** Acquires the lease of a one-off container, or renews it. Undefined: the sweep has it. */
export function holdOneOff(
  { id }: Pick<OneOff, 'id'>,
  { leases }: Needs<'leases'>,
): Promise<Lease | undefined> {
  // One holder whatever process: which feed is attached is decided by the record.
  return leases.acquire(nameOf(id), 'feed', length)
}

/** Acquires the lease to remove a container that no feed holds. Undefined: one holds it. */
export function takeOneOff(
  { id }: Pick<OneOff, 'id'>,
  { leases, background }: Needs<'leases' | 'background'>,
): Promise<Lease | undefined> {
  return leases.acquire(nameOf(id), `${background.processId}/sweep`, length)
}
