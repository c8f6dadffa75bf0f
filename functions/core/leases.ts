/** A right that one holder has at a time. */
export interface Lease {
  name: string
  holder: string
  /** Grows with each new holder: a write of an older holder can be told. */
  fence: number
  expiresAt: number
}

export interface Leases {
  /** Nothing while another holds it. Taking one's own again prolongs it. */
  take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>
  find(name: string): Promise<Lease | undefined>
  /**
   * Whether somebody holds it, and how many had it up to now: who takes it and gets the next fence knows that nobody had
   * it in between.
   */
  look(name: string): Promise<{ held: boolean; fence: number }>
  /** Does nothing when another holds it by now. */
  release(lease: Lease): Promise<void>
}
