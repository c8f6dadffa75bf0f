/** How long a ticket can be used, in milliseconds: a client asks for one at the moment of need. */
export const ticketLifetime = 30_000

/** Bytes of chance in a ticket. */
export const ticketBytes = 32

/** True for a text of the form of a ticket, which no other credential has: no store is asked about any other. */
export const isTicket = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)
