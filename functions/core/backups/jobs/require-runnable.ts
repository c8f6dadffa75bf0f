import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { requireVolumes } from './approve-volumes.ts'
import { requireJob } from './check-job.ts'
import { requireSavedHooks } from './hook-rights.ts'

/**
 * Checks that the caller may run a saved job: with the permissions to create it.
 *
 * @throws 403 if a permission is missing
 */
export async function requireRunnable(
  job: BackupJob,
  caller: Caller,
  ports: Parameters<typeof requireSavedHooks>[2] & Needs<'settings' | 'stacks'>,
): Promise<void> {
  requireJob(job, caller)
  await requireVolumes(job.volumes, 'backup', caller, ports)
  await requireSavedHooks(job, caller, ports)
}
