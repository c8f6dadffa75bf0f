/**
 * The kinds of named things on a host that a stack can own. A directory is recorded only when its
 * stack is deleted and leaves files there; its name is the path.
 */
export type OwnedKind = 'volume' | 'network' | 'image' | 'directory'

/** A named thing of one host. `name` is the Engine's name for it, in one normal form per kind. */
export interface OwnedName {
  hostId: string
  kind: OwnedKind
  name: string
}

/** The service's own record of which stack created a named thing. */
export interface Owner extends OwnedName {
  /** The stack's name. */
  stack: string
  /**
   * `createdAt` of the stack, by which it differs from an earlier or later one of the same name.
   * Missing for images and in records of earlier versions.
   */
  stackCreatedAt?: number
  /** The account that deleted the stack and left the thing. Missing while the stack exists. */
  leftBy?: Leaver
  /** When it was recorded, in milliseconds since the epoch. */
  at: number
}

/** An account that deleted a stack. `name` is for messages: another account may have it later. */
export interface Leaver {
  id: string
  name: string
}
