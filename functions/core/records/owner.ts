/** The kinds of named things on a host that a stack can own. */
export type OwnedKind = 'volume' | 'network' | 'image'

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
  /** When it was recorded, in milliseconds since the epoch. */
  at: number
}
