import type { Caller } from '../access/account.ts'
import type { Stored } from '../collection.ts'
import { conflict } from '../errors.ts'
import { targetHost } from '../hosts/target.ts'
import type { Needs } from '../ports.ts'
import { changeStack, getStack } from './locate.ts'
import type { StackRecord } from './stack.ts'

/**
 * Puts a stack that was never up on the host that a deploy names. Throws a `Failure` 409 for one that was up elsewhere,
 * 404 for an unknown host.
 */
export async function placeStack(
  stack: Stored<StackRecord>,
  named: string | undefined,
  caller: Caller,
  ports: Needs<'stacks' | 'hosts'>,
): Promise<Stored<StackRecord>> {
  if (named === undefined || named === stack.hostId) return stack
  const host = await targetHost(named, caller, ports)
  if (stack.last || stack.deployed || stack.adopted) {
    throw conflict(`stack ${stack.id}: it is placed on host ${stack.hostId}`)
  }
  const place = { hostId: host.id, directory: `${host.stacksDirectory}/${stack.id}` }
  await changeStack(stack.id, () => place, ports)
  return getStack(stack.id, ports)
}
