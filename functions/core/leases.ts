/** A right that one holder has at a time. */
export interface Lease {
  name: string
  holder: string
  /** Grows with each new holder: a write of an older holder can be told. */
  fence: number
  expiresAt: number
}

/** A lease as it was seen at a moment. */
export interface LeaseSight {
  name: string
  held: boolean
  /** Of the last one who had it; 0 for a lease that nobody ever had. */
  fence: number
}

export interface Leases {
  /** Nothing while another holds it. Taking one's own again prolongs it. */
  take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>
  find(name: string): Promise<Lease | undefined>
  look(name: string): Promise<LeaseSight>
  /** Takes one that was seen free. Nothing when anybody had it since: who gets it knows that nobody did. */
  takeNext(seen: LeaseSight, holder: string, milliseconds: number): Promise<Lease | undefined>
  /** Does nothing when another holds it by now. Who asks for it in this process meanwhile is answered after. */
  release(lease: Lease): Promise<void>
}
