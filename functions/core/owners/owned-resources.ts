import type { Snapshot } from '../../compose/snapshot.ts'
import type { Needs } from '../ports/ports.ts'
import type { Leaver, OwnedKind } from '../records/owner.ts'
import { predatesOwners, type StackRecord } from '../records/stack.ts'
import { isOwnerOf } from './find-owner.ts'

/**
 * Returns a snapshot of the project of a stack with only the volumes and networks that are the
 * stack's. Others can have the labels of the project too.
 */
export async function omitForeign(
  snapshot: Snapshot,
  stack: StackRecord,
  { owners }: Needs<'owners'>,
): Promise<Snapshot> {
  const all = await owners.list(stack.hostId)
  const recorded = new Map(all.map((owner) => [`${owner.kind} ${owner.name}`, owner]))
  const isOwn = (kind: OwnedKind) => (thing: { name: string }) => {
    const owner = recorded.get(`${kind} ${thing.name}`)
    return owner ? isOwnerOf(stack, owner) : predatesOwners(stack)
  }
  return {
    ...snapshot,
    networks: snapshot.networks.filter(isOwn('network')),
    volumes: snapshot.volumes.filter(isOwn('volume')),
  }
}

/**
 * Removes the records of a stack that is being removed. Those of volumes stay until the volumes are
 * removed, and say who left them.
 */
export async function releaseOwned(
  stack: StackRecord,
  leftBy: Leaver,
  ports: Needs<'owners'>,
): Promise<void> {
  await leaveVolumes(stack, leftBy, ports)
  const all = await ports.owners.list(stack.hostId)
  const own = all.filter((owner) => owner.stack === stack.id && owner.kind !== 'volume')
  for (const owner of own) await ports.owners.release(owner)
}

/** Records who left the volumes of a stack whose record is being deleted. */
export async function leaveVolumes(
  stack: StackRecord,
  leftBy: Leaver,
  { owners }: Needs<'owners'>,
): Promise<void> {
  for (const owner of await owners.list(stack.hostId)) {
    // What an earlier stack of this name left stays that of its own leaver.
    if (owner.kind === 'volume' && isOwnerOf(stack, owner)) {
      await owners.replace({ ...owner, leftBy })
    }
  }
}
