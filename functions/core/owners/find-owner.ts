import { label } from '../../compose/create/labels.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName, Owner } from '../records/owner.ts'
import { predatesOwners, type StackRecord } from '../records/stack.ts'

type OwnerPorts = Needs<'owners' | 'stacks'>

/** The stack that owns a thing of a host. */
export interface FoundOwner {
  stack: string
  /**
   * `recorded`: a record says so. `labelled`: it has no record and the labels of a stack that may
   * have things without one. `left`: a volume of a deleted stack, which a stack that has its name
   * now does not own.
   */
  how: 'recorded' | 'labelled' | 'left'
  /** The account that deleted the stack, if that is known. */
  leftBy?: Owner['leftBy']
}

/** A stack that is about to use things. `record` is undefined before it is created. */
interface UsingStack {
  stack: string
  record: StackRecord | undefined
}

/**
 * Returns the stack that owns a thing, or undefined if none does. Removes a record that is of no
 * use any more: that of an existing volume outlives its stack, other records end with it.
 *
 * @param labels of the existing thing with that name; undefined if there is none
 * @param user the stack that is about to use it, if there is one
 */
export async function findOwner(
  thing: OwnedName,
  labels: Readonly<Record<string, string>> | undefined,
  ports: OwnerPorts,
  user?: UsingStack,
): Promise<FoundOwner | undefined> {
  const stackNamed = async (name: string) =>
    user?.record?.id === name ? user.record : stackOn(name, thing.hostId, ports)
  const recorded = await ports.owners.find(thing)
  if (recorded && !isReplaced(recorded, labels, user)) {
    const { stack, leftBy } = recorded
    const now = await stackNamed(stack)
    if (now === 'hidden' ? !leftBy : now && isOwnerOf(now, recorded)) {
      return { stack, how: 'recorded' }
    }
    if (thing.kind === 'volume' && labels) return { stack, how: 'left', leftBy }
    if (!now) await ports.owners.release(recorded)
  }
  const name = labels?.[label.project]
  const stack = name === undefined ? undefined : await stackNamed(name)
  if (name === undefined || !stack) return undefined
  return stack === 'hidden' || predatesOwners(stack) ? { stack: name, how: 'labelled' } : undefined
}

/** Returns whether a record is of this stack, and not of an earlier one of the same name. */
export function isOwnerOf(stack: StackRecord, owner: Owner): boolean {
  if (owner.stack !== stack.id || owner.leftBy) return false
  return owner.stackCreatedAt === undefined
    ? predatesOwners(stack)
    : owner.stackCreatedAt === stack.createdAt
}

/**
 * Returns whether others made what has the name now, after the stack's own was removed. Everything
 * that the service creates for a stack has its label. Other stacks stay kept away: the labels can
 * be those of a moment ago.
 */
const isReplaced = (
  { stack }: Owner,
  labels: Readonly<Record<string, string>> | undefined,
  user: UsingStack | undefined,
): boolean =>
  labels !== undefined &&
  labels[label.project] !== stack &&
  (user === undefined || user.stack === stack)

/** Returns the stack, or `hidden` if it is outside of the caller's scope. */
export async function stackOn(
  name: string,
  hostId: string,
  { stacks }: Needs<'stacks'>,
): Promise<StackRecord | 'hidden' | undefined> {
  try {
    const stack = await stacks.find(name)
    return stack?.hostId === hostId ? stack : undefined
  } catch (error) {
    if (error instanceof Failure && error.status === 403) return 'hidden'
    throw error
  }
}
