import type { Needs } from '../ports/ports.ts'
import { type LockName, lockNames } from './with-lock.ts'

/** How long the release may take. Milliseconds. */
const length = 10_000

type Ports = Needs<'background' | 'leases'>

/**
 * Releases the locks whose holder has ended. A cloud function takes over no lease, and the lock of
 * one that was killed would last.
 */
export async function releaseLocks(ports: Ports): Promise<void> {
  await Promise.all(lockNames.map((name) => releaseLock(name, ports)))
}

async function releaseLock(name: LockName, { background, leases }: Ports): Promise<void> {
  const seen = await leases.peek(name)
  if (!seen.isExpired) return
  const lease = await leases.acquireIfUnchanged(seen, background.processId, length)
  if (lease) await leases.release(lease)
}
