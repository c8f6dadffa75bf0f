import type { Snapshot } from '../../compose/snapshot.ts'
import type { Needs } from '../ports/ports.ts'

/** Returns a snapshot without the volumes and networks that are recorded for other stacks. */
export async function omitForeign(
  snapshot: Snapshot,
  { stack, hostId }: { stack: string; hostId: string },
  { owners }: Needs<'owners'>,
): Promise<Snapshot> {
  const others = new Set(
    (await owners.list(hostId))
      .filter((owner) => owner.stack !== stack)
      .map(({ kind, name }) => `${kind} ${name}`),
  )
  return {
    ...snapshot,
    networks: snapshot.networks.filter(({ name }) => !others.has(`network ${name}`)),
    volumes: snapshot.volumes.filter(({ name }) => !others.has(`volume ${name}`)),
  }
}

/**
 * Removes the records of a stack that is being removed, except those of volumes, which stay until
 * the volumes are removed.
 */
export async function releaseOwned(
  { stack, hostId }: { stack: string; hostId: string },
  { owners }: Needs<'owners'>,
): Promise<void> {
  const own = (await owners.list(hostId)).filter((owner) => owner.stack === stack)
  for (const owner of own) if (owner.kind !== 'volume') await owners.release(owner)
}
