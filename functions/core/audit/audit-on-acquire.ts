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
  const withAudit = async (acquiring: Promise<Lease | undefined>) => {
    const [acquired, audited] = await Promise.allSettled([acquiring, begin()])
    if (acquired.status === 'rejected') throw acquired.reason
    if (audited.status === 'fulfilled') return acquired.value
    if (acquired.value) await leases.release(acquired.value).catch(ignoreError('release a lease'))
    throw audited.reason
  }
  const auditedLeases: Leases = {
    ...leases,
    acquire: (...given) => withAudit(leases.acquire(...given)),
    acquireIfUnchanged: (...given) => withAudit(leases.acquireIfUnchanged(...given)),
  }
  return { ...ports, leases: auditedLeases }
}
