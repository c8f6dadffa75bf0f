/** A bundle on its way in: a running project that is to become a stack. Times are milliseconds. */
export interface Adoption {
  id: string
  /** The name of the project, and of the stack. */
  stack: string
  hostId: string
  /** Bytes of the packed bundle. */
  size: number
  /** Who began it, and alone may go on. */
  accountId: string
  expiresAt: number
  /** The stack was made: only the answer may have been lost. */
  done: boolean
}

/** Bytes of every part of a bundle but the last. */
export const partBytes = 4 * 1024 * 1024

/** How long a bundle may take to arrive. Milliseconds. */
export const adoptionLifetime = 24 * 3600 * 1000

/** How many parts a bundle of that size has. */
export const partsOf = (size: number): number => Math.ceil(size / partBytes)

/** Bytes of one of its parts. */
export const sizeOfPart = (size: number, part: number): number =>
  Math.min(partBytes, size - part * partBytes)
