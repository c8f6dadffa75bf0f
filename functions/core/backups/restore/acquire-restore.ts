import { leaseHeld } from '../../errors.ts'
import { holderOf } from '../../leases/acquire-with-retry.ts'
import { leaseTime } from '../../leases/lease-renewal.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'
import { type BackupRun, runLease } from '../../records/backup-run.ts'

/** Acquires the lease of the run. Durable after it: the lease, for ten seconds. */
export async function acquireRestore(
  run: BackupRun,
  { background, leases }: Needs<'background' | 'leases'>,
): Promise<Lease> {
  const lease = await leases.acquire(
    runLease(run),
    holderOf(background.processId, run.id),
    leaseTime,
  )
  if (!lease) throw leaseHeld('the lease of the restore could not be acquired, try again')
  return lease
}
