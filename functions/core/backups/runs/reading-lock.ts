import { leaseHeld } from '../../errors.ts'
import { holderOf } from '../../leases/acquire-with-retry.ts'
import { withLeaseRenewal } from '../../leases/lease-renewal.ts'
import type { Needs } from '../../ports/ports.ts'
import { readingLease } from '../../records/backup-run.ts'
import { acquireRunLease } from './acquire-run-lease.ts'

/**
 * Runs `read` while the backup is locked against removal. Waits for a reader that has just ended.
 * `readerId` is the ID of the restore's run or of another reader. The signal of `read` aborts if
 * the lock is lost.
 *
 * @throws 409 while the backup is being read or removed elsewhere
 */
export async function withReadingLock<T>(
  runId: string,
  readerId: string,
  signal: AbortSignal,
  ports: Needs<'background' | 'backupRuns' | 'clock' | 'leases'>,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = holderOf(ports.background.processId, readerId)
  const lease = await acquireRunLease(readingLease(runId), holder, ports)
  if (!lease) throw leaseHeld('the backup is being read or removed: try again when that is done')
  return withLeaseRenewal(lease, signal, ports, (held) => read(held.signal))
}
