/** An exclusive right that expires at `expiresAt` (milliseconds since the epoch). */
export interface Lease {
  name: string
  holder: string
  /** Increases with each new holder, so that a write by an earlier holder can be recognized. */
  fence: number
  expiresAt: number
}

/** The state of a lease at one moment. */
export interface LeaseSight {
  name: string
  held: boolean
  /** The fence of the latest holder; 0 if the lease was never taken. */
  fence: number
}

export interface Leases {
  /**
   * Acquires a lease. Returns undefined while another holder has it. A holder that takes its own
   * lease again renews it.
   */
  take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>
  find(name: string): Promise<Lease | undefined>
  look(name: string): Promise<LeaseSight>
  /**
   * Acquires a lease that was seen free. Returns undefined if it was taken in the meantime, so
   * success proves that there was no holder in between.
   */
  takeNext(seen: LeaseSight, holder: string, milliseconds: number): Promise<Lease | undefined>
  /**
   * Releases a lease. Does nothing if it has another holder by now. Reads of the lease in this
   * process wait until the release is done.
   */
  release(lease: Lease): Promise<void>
}
