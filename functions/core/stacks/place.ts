import { conflict } from '../errors.ts'
import { hostNameOf } from '../hosts/host-name.ts'
import { targetHost } from '../hosts/target.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { checkNewDirectory } from './foreign-files.ts'
import { changeStack, getStack } from './stack-record.ts'

/**
 * Moves a stack that was never deployed to the host that a deploy names. Call it between
 * deployments: the stack's record may not show a deployment that has just begun.
 *
 * @throws 409 if the stack was deployed on another host, 404 if the host does not exist, and what
 *   `checkNewDirectory` throws
 */
export async function placeStack(
  stack: Stored<StackRecord>,
  named: string | undefined,
  caller: Caller,
  ports: Needs<'clock' | 'engines' | 'hosts' | 'owners' | 'stacks'>,
): Promise<Stored<StackRecord>> {
  if (named === undefined || named === stack.hostId) return stack
  const host = await targetHost(named, caller, ports)
  if (host.id === stack.hostId) return stack
  const name = await hostNameOf(stack.hostId, ports)
  const { id } = refusePlaced(stack, name)
  const at = { id, hostId: host.id, directory: `${host.stacksDirectory}/${id}` }
  const foreign = await checkNewDirectory(at, caller, ports)
  const place = { ...at, mayHaveForeignFiles: false, ...foreign }
  const placed = await changeStack(id, (now) => refusePlaced(now, name) && place, ports, stack)
  return placed ?? getStack(id, ports)
}

function refusePlaced(stack: StackRecord, hostName: string): StackRecord {
  if (!stack.last && !stack.deployed && !stack.adopted) return stack
  throw conflict(`stack ${stack.id}: it is placed on host ${hostName}`)
}
