/** The lifetime of a ticket, in milliseconds. Clients request one right before they need it. */
export const ticketLifetime = 30_000

/** The number of random bytes in a ticket. */
export const ticketBytes = 32

/**
 * Returns whether a text has the form of a ticket, which no other credential has. Any other text is
 * rejected without a read of the store.
 */
export const isTicket = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)
