import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { withStackLock } from './stack-lease.ts'

export type ForgetPorts = Needs<
  'background' | 'clock' | 'deployments' | 'leases' | 'log' | 'random' | 'stacks'
>

/** The time for deleting the records of a stack. Milliseconds. */
const forgetTime = 5_000

/**
 * Deletes the records of a stack on a host that cannot be reached: the stack and its deployments.
 * What it left on the host stays there, and so do the records of the volumes, networks and images
 * that it owns: if the host comes back, no other stack may take over its data.
 *
 * @throws 409 while a deployment of the stack runs
 */
export async function forgetPlacement(
  { id, hostId }: Pick<StackRecord, 'id' | 'hostId'>,
  ports: ForgetPorts,
): Promise<void> {
  await withStackLock(id, ports, async (held) => {
    const stack = await ports.stacks.find(id)
    if (stack?.hostId !== hostId) return
    await held.ensure(forgetTime)
    // The stack goes last: if the process ends before that, the next call removes the rest.
    await ports.deployments.removeByStack(id)
    await held.ensure(forgetTime)
    await ports.stacks.remove(id)
    ports.log.warn('a stack was forgotten: what it left is still on its host', {
      stack: id,
      host: hostId,
    })
  })
}
