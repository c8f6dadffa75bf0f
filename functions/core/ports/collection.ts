/**
 * A record as it was read. `replace` succeeds only while the stored `revision` is still this one.
 */
export type Stored<T> = T & { readonly revision: number }

/**
 * Records of one kind under unique IDs. Each method is either one conditional write or a read that
 * sees all earlier writes.
 */
export interface Collection<T extends { id: string }> {
  find(id: string): Promise<Stored<T> | undefined>
  /** Returns all records in order of ID. */
  list(): Promise<Stored<T>[]>
  /** Returns false, and writes nothing, if the ID or a unique name of the kind is taken. */
  create(value: T): Promise<boolean>
  /**
   * Returns the record as stored, or undefined, without a write, if it was changed or removed since
   * it was read.
   */
  replace(value: Stored<T>): Promise<Stored<T> | undefined>
  /**
   * Returns false if there is no such record or, with a revision, if it was changed since that was
   * read.
   */
  remove(id: string, revision?: number): Promise<boolean>
}

export interface Versioned<T> {
  value: T
  /** 0 for a record that does not exist yet. */
  version: number
}
