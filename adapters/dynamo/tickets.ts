import type { Ticket, Tickets } from '../../functions/core/access/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * A ticket is one item under its hash (`ticket#<hash>`), deleted by its use. A delete that is repeated because its answer was
 * lost finds nothing: the ticket is then lost, and never good twice.
 */
export function dynamoTickets(table: Table, clock: Clock): Tickets {
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
