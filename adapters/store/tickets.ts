import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Ticket, Tickets } from '../../functions/core/ports/tickets.ts'
import { newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a ticket as one item under its hash (`ticket#<hash>`), which its use deletes. If the
 * response to that delete is lost, the retry finds nothing: the ticket is then lost, but never used
 * twice.
 */
export function storedTickets(table: Table, clock: Clock): Tickets {
  const key = (hash: string) => ({ pk: `ticket#${hash}`, sk: '-' })
  return {
    async create({ hash, expiresAt, ...ticket }) {
      const until = { until: expiresAt, ttl: ttlAt(expiresAt) }
      await table.put({ ...key(hash), rev: newRevision(), ...until, ...packed(ticket) }, absent)
    },
    async use(hash) {
      const good = { if: '#until > :now', values: { now: clock.now() } }
      const item = await table.take(key(hash), good)
      return item && unpacked<Ticket>(item)
    },
  }
}
