import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { recordLastRun } from './last-run.ts'

/**
 * Creates the record of a run. Durable after it: a run with the status `running`, which the job
 * names as its newest. If this process dies from here on, `recoverBackups` ends the run.
 */
export async function recordBackup(
  prepared: BackupRun,
  lease: Lease,
  ports: Needs<'backupJobs' | 'backupRuns' | 'clock' | 'leases'>,
): Promise<BackupRun> {
  try {
    const run = { ...prepared, fence: lease.fence }
    await ports.backupRuns.create(run)
    await recordLastRun(run, ports)
    return run
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}
