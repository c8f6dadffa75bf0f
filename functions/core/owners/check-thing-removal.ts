import { deploysStacks, reachOf } from '../access/reach.ts'
import { refusedByPolicy } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { OwnedName } from '../records/owner.ts'
import { findOwner } from './find-owner.ts'
import { lacks } from './rights.ts'

/** A volume or a network of a host. */
export interface RemovedThing extends OwnedName {
  kind: 'volume' | 'network'
  labels: Readonly<Record<string, string>>
}

/**
 * Checks that a caller may remove a volume or a network by hand. The record of its stack stays, so
 * that the next deploy of it can create it again. A volume that a deleted stack left is as one that
 * no stack made.
 *
 * @throws 403 for one of a stack that the caller may not deploy, or of no stack without
 *   `stacks:privileged`
 */
export async function checkThingRemoval(
  { labels, ...thing }: RemovedThing,
  caller: Caller,
  engine: Pick<Engine, 'installation'>,
  ports: Needs<'owners' | 'stacks'>,
): Promise<void> {
  if (reachOf(caller) === 'host') return
  const installation = await engine.installation()
  const own = thing.kind === 'volume' ? installation.volumes : installation.networks
  // The Engine port refuses those for everybody.
  if (own.has(thing.name)) return
  const owner = await findOwner(thing, labels, ports)
  const isOfStack = owner !== undefined && owner.how !== 'left'
  const mayDeployOwner = isOfStack && (await deploysStacks(caller, ports)(owner.stack))
  const verb = `delete-${thing.kind}` as const
  if (!lacks(verb, isOfStack ? 'stack' : 'foreign', { mayDeployOwner })) return
  const [whose, needed] = isOfStack
    ? ['it belongs to another stack', 'permission to read and deploy that stack, or ']
    : ['no stack created it', '']
  throw refusedByPolicy(
    `${thing.kind} ${thing.name}: ${whose}: removing it requires ${needed}stacks:privileged`,
  )
}
