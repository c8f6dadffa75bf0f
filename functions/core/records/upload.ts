/**
 * A bundle that is uploaded in parts: of a running project that becomes a stack, or of files of a
 * stack. Times are in milliseconds since the epoch.
 */
export interface Upload {
  id: string
  /** `change`: of files of a stack. Missing: of a project to adopt. */
  purpose?: 'change'
  /** The name of the stack, and of the project to adopt. */
  stack: string
  hostId: string
  /** Size of the packed bundle, in bytes. */
  size: number
  /** The account that started the upload and that alone may continue it. */
  accountId: string
  expiresAt: number
  /** The bundle was used. A repeated request may follow if the response was lost. */
  done: boolean
  /** The revision that a change is based on. */
  revision?: number
  /**
   * When the stack was created, that of an adoption once it is done: a later one of that name is
   * another stack.
   */
  stackCreatedAt?: number
}

/** Size of every part of a bundle except the last, in bytes. */
export const partBytes = 4 * 1024 * 1024

/** How long the upload of a bundle may take. Milliseconds. */
export const uploadLifetime = 24 * 3600 * 1000

/** Returns the number of parts of a bundle of this size. */
export const partsOf = (size: number): number => Math.ceil(size / partBytes)

/** Returns the size of one of its parts, in bytes. */
export const sizeOfPart = (size: number, part: number): number =>
  Math.min(partBytes, size - part * partBytes)
