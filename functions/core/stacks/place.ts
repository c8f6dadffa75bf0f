import { conflict } from '../errors.ts'
import { hostNameOf } from '../hosts/host-name.ts'
import { targetHost } from '../hosts/target.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { checkNewDirectory } from './foreign-files.ts'
import type { StackPlace } from './shared-directory.ts'
import { changeStack, getStack } from './stack-record.ts'

type PlacePorts = Needs<'clock' | 'engines' | 'hosts' | 'owners' | 'stacks'>

/**
 * Moves a stack that was never deployed to the host that a deploy names. Call it between
 * deployments: the stack's record may not show a deployment that has just begun.
 *
 * @throws what `newPlace` throws
 */
export async function placeStack(
  stack: Stored<StackRecord>,
  named: string | undefined,
  caller: Caller,
  ports: PlacePorts,
): Promise<Stored<StackRecord>> {
  const place = await newPlace(stack, named, caller, ports)
  if (!place) return stack
  const { id } = stack
  const name = await hostNameOf(stack.hostId, ports)
  const placed = await changeStack(id, (now) => refusePlaced(now, name) && place, ports, stack)
  return placed ?? getStack(id, ports)
}

/**
 * Returns a stack as `placeStack` would make it, and writes nothing.
 *
 * @throws what `newPlace` throws
 */
export async function placedStack(
  stack: Stored<StackRecord>,
  named: string | undefined,
  caller: Caller,
  ports: PlacePorts,
): Promise<Stored<StackRecord>> {
  return { ...stack, ...(await newPlace(stack, named, caller, ports)) }
}

/**
 * Returns the place that a stack gets on the host that a deploy names, or undefined if it is there.
 *
 * @throws 409 if the stack was deployed on another host, 404 if the host does not exist, and what
 *   `checkNewDirectory` throws
 */
async function newPlace(
  stack: StackRecord,
  named: string | undefined,
  caller: Caller,
  ports: PlacePorts,
): Promise<StackPlace | undefined> {
  if (named === undefined || named === stack.hostId) return undefined
  const host = await targetHost(named, caller, ports)
  if (host.id === stack.hostId) return undefined
  const { id } = refusePlaced(stack, await hostNameOf(stack.hostId, ports))
  const at = { id, hostId: host.id, directory: `${host.stacksDirectory}/${id}` }
  const foreign = await checkNewDirectory(at, caller, ports)
  return { ...at, mayHaveForeignFiles: false, ...foreign }
}

function refusePlaced(stack: StackRecord, hostName: string): StackRecord {
  if (!stack.last && !stack.deployed && !stack.adopted) return stack
  throw conflict(`stack ${stack.id}: it is placed on host ${hostName}`)
}
