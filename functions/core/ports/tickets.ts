import type { Credential } from '../records/account.ts'

/** The credential and origin that a ticket is bound to. */
export interface Ticket {
  credential: Credential
  /**
   * The `Origin` of the request that created the ticket. Only that origin may use it. Null if the
   * request had none.
   */
  origin: string | null
}

/** Single-use tickets for WebSocket upgrades, stored by the SHA-256 of the ticket, in hex. */
export interface Tickets {
  create(ticket: Ticket & { hash: string; expiresAt: number }): Promise<void>
  /**
   * Returns what a ticket is bound to and deletes the ticket in one conditional write, so that only
   * one of several concurrent calls gets it. Returns undefined for a ticket that was used, has
   * expired or never existed.
   */
  use(hash: string): Promise<Ticket | undefined>
}
