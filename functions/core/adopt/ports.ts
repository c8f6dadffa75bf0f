import type { Adoption } from './adoption.ts'

/**
 * Adoptions and the parts of their bundles, encrypted with a key outside the store. Everything
 * expires at `expiresAt`.
 */
export interface Adoptions {
  find(id: string): Promise<Adoption | undefined>
  /** Creates or replaces the record. */
  save(adoption: Adoption): Promise<void>
  /** Stores a part, replacing an earlier upload of it. */
  putPart(adoption: Adoption, part: number, bytes: Uint8Array): Promise<void>
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
