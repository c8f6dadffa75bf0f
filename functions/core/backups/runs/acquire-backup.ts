import { holderOf } from '../../leases/acquire-with-retry.ts'
import { type PauseLookPorts, refuseWhilePaused } from '../../leases/pause.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'
import { type BackupRun, runLease } from '../../records/backup-run.ts'
import { acquireRunLease } from './acquire-run-lease.ts'

type AcquirePorts = Needs<'background' | 'backupRuns' | 'clock' | 'leases'>

/**
 * Acquires the lease of the run's job; undefined while another run has it. Waits for one that has
 * just ended. Durable after it: the lease, for ten seconds.
 *
 * @throws 409 while the service is paused
 */
export async function acquireBackup(
  run: BackupRun,
  ports: AcquirePorts & PauseLookPorts,
): Promise<Lease | undefined> {
  const lease = await acquireBackupOfPause(run, ports)
  if (!lease) return undefined
  try {
    await refuseWhilePaused(ports)
    return lease
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/** The same for the backup that the service is paused for. */
export function acquireBackupOfPause(
  run: BackupRun,
  ports: AcquirePorts,
): Promise<Lease | undefined> {
  const holder = holderOf(ports.background.processId, run.id)
  return acquireRunLease(runLease(run), holder, ports)
}
