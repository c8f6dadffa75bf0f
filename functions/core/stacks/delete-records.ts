import { leaveVolumes } from '../owners/owned-resources.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { refuseReplaced } from './refuse-replaced.ts'
import { refuseStale } from './refuse-stale.ts'
import { removeHookOf } from './stack-hook.ts'
import { removeJobsOf } from './stack-jobs.ts'
import { withStackLock } from './stack-lease.ts'

export type DeleteRecordsPorts = Needs<
  | 'background'
  | 'clock'
  | 'deployments'
  | 'jobLogs'
  | 'leases'
  | 'log'
  | 'owners'
  | 'random'
  | 'stackHooks'
  | 'stackJobs'
  | 'stacks'
>

/** A stack to delete. `revision` is that of the files that the caller read; undefined for any. */
export type DeletedStack = Pick<StackRecord, 'id' | 'hostId' | 'createdAt'> & {
  revision: number | undefined
}

/** The time for deleting the records of a stack. Milliseconds. */
const deletionTime = 5_000

/**
 * Deletes the records of a stack: the stack, its hook, its jobs and its deployments. What it has on
 * its host stays there. The records of the volumes, networks and images that it owns stay too: no
 * other stack may take over its data.
 *
 * @throws 409 while a deployment of the stack runs, if it was deleted and created again, and if its
 *   files are not of the revision that is given
 */
export async function deleteStackRecords(
  { id, hostId, createdAt, revision }: DeletedStack,
  { account }: Pick<Caller, 'account'>,
  ports: DeleteRecordsPorts,
): Promise<void> {
  await withStackLock(id, ports, async (held) => {
    const stack = await ports.stacks.find(id)
    if (stack?.hostId !== hostId) return
    refuseReplaced(stack, { createdAt })
    refuseStale(stack, revision)
    await held.ensure(deletionTime)
    // The stack goes last: if the process ends before that, the next call removes the rest.
    await ports.deployments.removeByStack(id)
    await leaveVolumes(stack, { id: account.id, name: account.username }, ports)
    await held.ensure(deletionTime)
    await removeHookOf(stack, ports)
    await removeJobsOf(stack, ports)
    await ports.stacks.remove(id)
    ports.log.warn('a stack was forgotten: what it left is still on its host', {
      stack: id,
      host: hostId,
    })
  })
}
