import type { Credential } from '../../functions/core/access/account.ts'
import type { Tickets } from '../../functions/core/access/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Tickets on a map. */
export function memoryTickets(clock: Clock): Tickets {
  const tickets = new Map<string, { credential: Credential; expiresAt: number }>()
  return {
    async create({ hash, ...ticket }) {
      tickets.set(hash, structuredClone(ticket))
    },
    async use(hash) {
      const ticket = tickets.get(hash)
      tickets.delete(hash)
      return ticket && ticket.expiresAt > clock.now() ? ticket.credential : undefined
    },
  }
}
