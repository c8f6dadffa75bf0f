import { imageName } from '../../compose/reference/image-name.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Owner } from '../records/owner.ts'

type OwnerPorts = Needs<'owners' | 'stacks'>

/** Returns the recorded owners of built images on a host, by normal name. */
export async function imageOwners(
  hostId: string,
  { owners }: Needs<'owners'>,
): Promise<ReadonlyMap<string, Owner>> {
  const all = await owners.list(hostId)
  return new Map(all.filter(({ kind }) => kind === 'image').map((owner) => [owner.name, owner]))
}

/**
 * Returns the owner of the image of a reference, or undefined if none is recorded. A digest names
 * an image of its repository, so the owner of any tag of that repository owns it. An ID has no
 * owner.
 */
export function ownerOf(reference: string, owners: ReadonlyMap<string, Owner>): Owner | undefined {
  const { kind, name, repository } = imageName(reference)
  if (kind === 'id') return undefined
  if (kind === 'tag') return owners.get(name)
  return [...owners.values()].find((owner) => imageName(owner.name).repository === repository)
}

/**
 * Returns whether the stack of a record still exists on the host of the record, and releases the
 * record if it does not.
 */
export async function isLive(owner: Owner, { owners, stacks }: OwnerPorts): Promise<boolean> {
  // A 403 means that the stack exists outside the caller's scope.
  const stack = await stacks.find(owner.stack).catch((error) => {
    if (error instanceof Failure && error.status === 403) return { hostId: owner.hostId }
    throw error
  })
  if (stack?.hostId === owner.hostId) return true
  await owners.release(owner)
  return false
}
