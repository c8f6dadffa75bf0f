import { Failure } from '../errors.ts'
import type { Owner } from '../owners/ports.ts'
import type { Needs } from '../ports.ts'
import { imageName } from '../registries/image-name.ts'

type OwnerPorts = Needs<'owners' | 'stacks'>

/** Returns what is recorded as built by stacks of a host, by normal name. */
export async function imageOwners(
  hostId: string,
  { owners }: Needs<'owners'>,
): Promise<ReadonlyMap<string, Owner>> {
  const all = await owners.list(hostId)
  return new Map(all.filter(({ kind }) => kind === 'image').map((owner) => [owner.name, owner]))
}

/**
 * Returns who built the image of a reference, or undefined if no record says so. A digest names an
 * image of its repository: whoever built any tag of that is its owner. An ID has none.
 */
export function ownerOf(reference: string, owners: ReadonlyMap<string, Owner>): Owner | undefined {
  const { kind, name, repository } = imageName(reference)
  if (kind === 'id') return undefined
  if (kind === 'tag') return owners.get(name)
  return [...owners.values()].find((owner) => imageName(owner.name).repository === repository)
}

/**
 * Returns whether the stack of a record is still on the record's host. One that is gone keeps
 * nothing: its record is removed.
 */
export async function isLive(owner: Owner, { owners, stacks }: OwnerPorts): Promise<boolean> {
  // A stack that the caller may not see is there.
  const stack = await stacks.find(owner.stack).catch((error) => {
    if (error instanceof Failure && error.status === 403) return { hostId: owner.hostId }
    throw error
  })
  if (stack?.hostId === owner.hostId) return true
  await owners.release(owner)
  return false
}
