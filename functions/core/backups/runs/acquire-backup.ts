import { holderOf } from '../../leases/acquire-with-retry.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'
import { type BackupRun, runLease } from '../../records/backup-run.ts'
import { acquireRunLease } from './acquire-run-lease.ts'

/**
 * Acquires the lease of the run's job; undefined while another run has it. Waits for one that has
 * just ended. Durable after it: the
 * lease, for ten seconds.
 */
export const acquireBackup = (
  run: BackupRun,
  ports: Needs<'background' | 'backupRuns' | 'clock' | 'leases'>,
): Promise<Lease | undefined> =>
  acquireRunLease(runLease(run), holderOf(ports.background.processId, run.id), ports)
