import { holderOf } from '../acquire-with-retry.ts'
import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../lease-renewal.ts'
import type { Needs } from '../ports.ts'
import { readingLease } from './run.ts'
import { takeGivenBack } from './take-given-back.ts'

/** How long a backup stays locked after its reader died. Milliseconds. */
const held = 10_000

/**
 * Runs `read` while the backup is locked against removal. `readerId` is the ID of the restore's run
 * or of another reader. The signal of `read` aborts if the lock is lost.
 *
 * @throws 409 while the backup is being read or removed elsewhere
 */
export async function whileRead<T>(
  runId: string,
  readerId: string,
  signal: AbortSignal,
  ports: Needs<'background' | 'backupRuns' | 'clock' | 'leases'>,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = holderOf(ports.background.processId, readerId)
  const lease = await takeGivenBack(readingLease(runId), holder, held, ports)
  if (!lease) throw conflict('the backup is being read or removed: try again when that is done')
  return withLeaseRenewal(lease, signal, ports, (held) => read(held.signal))
}
