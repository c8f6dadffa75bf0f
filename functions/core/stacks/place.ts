import type { Caller } from '../access/account.ts'
import type { Stored } from '../collection.ts'
import { conflict } from '../errors.ts'
import { targetHost } from '../hosts/target.ts'
import type { Needs } from '../ports.ts'
import { changeStack, getStack } from './locate.ts'
import type { StackRecord } from './stack.ts'

/**
 * Puts a stack that was never up on the host that a deploy names: to be done between deployments, as one that has begun may
 * not be in the record yet. Throws a `Failure` 409 for one that was up elsewhere, 404 for an unknown host.
 */
export async function placeStack(
  stack: Stored<StackRecord>,
  named: string | undefined,
  caller: Caller,
  ports: Needs<'stacks' | 'hosts'>,
): Promise<Stored<StackRecord>> {
  if (named === undefined || named === stack.hostId) return stack
  const host = await targetHost(named, caller, ports)
  const { id } = refusePlaced(stack)
  const place = { hostId: host.id, directory: `${host.stacksDirectory}/${id}` }
  const placed = await changeStack(id, (now) => refusePlaced(now) && place, ports, stack)
  return placed ?? getStack(id, ports)
}

function refusePlaced(stack: StackRecord): StackRecord {
  if (!stack.last && !stack.deployed && !stack.adopted) return stack
  throw conflict(`stack ${stack.id}: it is placed on host ${stack.hostId}`)
}
