import type { OwnedName, Owner } from '../records/owner.ts'

/**
 * Records which stack created which volume, network or image tag. Labels on the Engine are only
 * hints, because any image or compose file can set them; authorisation decisions rely on this
 * record.
 *
 * The port ignores the scope of the caller, because a check has to see owners outside it. Never
 * show the name of a stack from here without checking that the caller may read that stack.
 */
export interface Owners {
  /** Returns the recorded owner, or undefined if there is none. */
  find(thing: OwnedName): Promise<Owner | undefined>
  /** Returns everything that is recorded for one host, ordered by kind and name. */
  list(hostId: string): Promise<Owner[]>
  /**
   * Records an owner unless one is recorded already, in one conditional write. Returns the recorded
   * owner: compare its `stack` with the one that you claimed for.
   */
  claim(owner: Owner): Promise<Owner>
  /**
   * Replaces the record if it names the same stack. Returns false if it names another one or there
   * is none.
   */
  replace(owner: Owner): Promise<boolean>
  /** Removes the record if it names this stack; another stack's record stays. */
  release(owner: Pick<Owner, 'hostId' | 'kind' | 'name' | 'stack'>): Promise<void>
  /** Removes every record of a stack on one host. */
  removeByStack(hostId: string, stack: string): Promise<void>
}
