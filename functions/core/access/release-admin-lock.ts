import type { Needs } from '../ports/ports.ts'
import { adminLease } from './admins.ts'

/** How long the release may take. Milliseconds. */
const length = 10_000

/**
 * Releases the lock of admin changes if its holder has ended. A cloud function takes over no lease,
 * and the lock of one that was killed would last.
 */
export async function releaseAdminLock({
  background,
  leases,
}: Needs<'background' | 'leases'>): Promise<void> {
  const seen = await leases.peek(adminLease)
  if (!seen.isExpired) return
  const lease = await leases.acquireIfUnchanged(seen, background.processId, length)
  if (lease) await leases.release(lease)
}
