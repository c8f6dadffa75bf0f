import type { Upload } from '../records/upload.ts'

/**
 * Uploads and the parts of their bundles, encrypted with a key outside the store. Everything
 * expires at `expiresAt`.
 */
export interface Uploads {
  find(id: string): Promise<Upload | undefined>
  /** Creates or replaces the record. */
  save(upload: Upload): Promise<void>
  /** Returns the uploads of an account that have not expired, in order of their ids. */
  listByAccount(accountId: string): Promise<Upload[]>
  /** Removes the record and the parts. */
  remove(upload: Upload): Promise<void>
  /** Stores a part, replacing an earlier upload of it. */
  putPart(upload: Upload, part: number, bytes: Uint8Array): Promise<void>
  /** Returns the numbers of the stored parts, in order. */
  received(id: string): Promise<number[]>
  /**
   * Yields the bytes of a part in chunks.
   *
   * @throws 500 if the part is not stored
   */
  readPart(id: string, part: number): AsyncIterable<Uint8Array>
  removeParts(id: string): Promise<void>
}
