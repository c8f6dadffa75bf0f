/** A record as it was read: `revision` is what a later `replace` must still find. */
export type Stored<T> = T & { readonly revision: number }

/** Records of one kind under unique ids. Every method is one conditional write or a read that sees all earlier writes. */
export interface Collection<T extends { id: string }> {
  find(id: string): Promise<Stored<T> | undefined>
  /** All of them in order of id. */
  list(): Promise<Stored<T>[]>
  /** False when the id, or a unique name of the kind, is taken; then nothing was written. */
  create(value: T): Promise<boolean>
  /** The record as it is kept from now on; nothing when it changed since it was read or is gone: then nothing was written. */
  replace(value: Stored<T>): Promise<Stored<T> | undefined>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
}

export interface Versioned<T> {
  value: T
  /** 0 for a thing that is not there yet. */
  version: number
}
