import type { Adoption } from './adoption.ts'

/** Bundles on their way in, and their parts, encrypted with a key outside the store. All of it goes by itself at `expiresAt`. */
export interface Adoptions {
  find(id: string): Promise<Adoption | undefined>
  /** Writes the record, new or changed. */
  save(adoption: Adoption): Promise<void>
  /** Keeps a part; one that is there already is replaced whole. */
  putPart(adoption: Adoption, part: number, bytes: Uint8Array): Promise<void>
  /** Numbers of the parts that are there, in order. */
  received(id: string): Promise<number[]>
  /** The bytes of a part, a piece at a time. Throws a `Failure` 500 for a part that is not there. */
  readPart(id: string, part: number): AsyncIterable<Uint8Array>
  removeParts(id: string): Promise<void>
}
