import { requireEveryHost, requirePermissions } from '../access/grant.ts'
import { requireVolumes } from '../backups/jobs/approve-volumes.ts'
import { requireSavedHooks } from '../backups/jobs/hook-rights.ts'
import { notFound, unusable } from '../errors.ts'
import type { EntryPorts } from '../owners/enter-container.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { type CheckpointPorts, checkpointNeeds, findCheckpointJob } from './checkpoint-job.ts'

export type RequireCheckpointPorts = CheckpointPorts & EntryPorts & Needs<'engines'>

/**
 * Checks that the caller may run a backup job by hand and restore the stack in its backup, so that
 * it can be the checkpoint of the stack.
 *
 * @throws 404 if there is no such job, 422 if it does not back up the stack, 403 if the caller
 *   lacks a right
 */
export async function requireCheckpoint(
  stack: StackRecord,
  id: string,
  caller: Caller,
  ports: RequireCheckpointPorts,
): Promise<void> {
  if (!(await ports.backupJobs.find(id))) throw notFound('checkpoint: there is no such backup job')
  const found = await findCheckpointJob(stack, id, ports)
  if ('problem' in found) throw unusable(`checkpoint: ${found.problem}`)
  for (const { permission, everyHost } of checkpointNeeds(found.job)) {
    requirePermissions(caller, [permission], 'checkpoint: what it does')
    if (everyHost) requireEveryHost(caller, 'checkpoint')
  }
  await requireVolumes(found.job.volumes, 'backup', caller, ports)
  await requireSavedHooks(found.job, caller, ports)
}
