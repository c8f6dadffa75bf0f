/**
 * An image that was bad in a stack, or that an account undid: no update takes it there again.
 * Another digest of the name is another image. Times are milliseconds since the epoch.
 */
export interface HeldBackImage {
  /** The normal name of the image. */
  name: string
  digest: string
  /** The service that it is held back for. */
  service: string
  /** Why, as a phrase. */
  reason: string
  /** The last lines of the service's log. */
  log: string[]
  /** The image that the service ran before, as `repository@digest` or as an ID. */
  before: string
  /** The deployment that took the image. */
  deploymentId: string
  at: number
}

/** The most images that are held back for a stack; the newest stay. */
export const heldBackMax = 20
