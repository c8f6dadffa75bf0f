import { ignoreError } from '../ignore-error.ts'
import type { Lease, Leases } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'

/**
 * Returns ports with which a lease is acquired only once `begin` is done too. Both run in parallel.
 * If `begin` fails, an acquired lease is released and acquiring it fails with the same error.
 */
export function auditOnAcquire<P extends object>(ports: P, begin: () => Promise<void>): P {
  const { leases } = ports as Partial<Needs<'leases'>>
  if (!leases) return ports
  const beginning = async (taking: Promise<Lease | undefined>) => {
    const [taken, begun] = await Promise.allSettled([taking, begin()])
    if (taken.status === 'rejected') throw taken.reason
    if (begun.status === 'fulfilled') return taken.value
    if (taken.value) await leases.release(taken.value).catch(ignoreError('release a lease'))
    throw begun.reason
  }
  const beginningLeases: Leases = {
    ...leases,
    acquire: (...given) => beginning(leases.acquire(...given)),
    acquireIfUnchanged: (...given) => beginning(leases.acquireIfUnchanged(...given)),
  }
  return { ...ports, leases: beginningLeases }
}
