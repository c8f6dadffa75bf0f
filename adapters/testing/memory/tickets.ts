import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Ticket, Tickets } from '../../../functions/core/ports/tickets.ts'

/** Returns an in-memory store of tickets. */
export function memoryTickets(clock: Clock): Tickets {
  const tickets = new Map<string, Ticket & { expiresAt: number }>()
  return {
    async create({ hash, ...ticket }) {
      tickets.set(hash, structuredClone(ticket))
    },
    async use(hash) {
      const ticket = tickets.get(hash)
      tickets.delete(hash)
      if (!ticket || ticket.expiresAt <= clock.now()) return undefined
      return { credential: ticket.credential, origin: ticket.origin }
    },
  }
}
