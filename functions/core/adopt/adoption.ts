/**
 * An upload of a bundle, to turn a running project into a stack. Times are in milliseconds since
 * the epoch.
 */
export interface Adoption {
  id: string
  /** The name of the project and of the stack. */
  stack: string
  hostId: string
  /** Size of the packed bundle, in bytes. */
  size: number
  /** The account that started the adoption and that alone may continue it. */
  accountId: string
  expiresAt: number
  /** The stack was created. A repeated request may follow if the response was lost. */
  done: boolean
}

/** Size of every part of a bundle except the last, in bytes. */
export const partBytes = 4 * 1024 * 1024

/** How long the upload of a bundle may take. Milliseconds. */
export const adoptionLifetime = 24 * 3600 * 1000

/** Returns the number of parts of a bundle of this size. */
export const partsOf = (size: number): number => Math.ceil(size / partBytes)

/** Returns the size of one of its parts, in bytes. */
export const sizeOfPart = (size: number, part: number): number =>
  Math.min(partBytes, size - part * partBytes)
