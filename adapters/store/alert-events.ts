import { type AlertEvents, eventRetention } from '../../functions/core/ports/alert-events.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { AlertEvent } from '../../functions/core/records/alert-event.ts'
import { endOf, firstIdAt, isMadeIn } from '../../functions/core/records/time-range.ts'
import { packed, ttlAt, unpacked } from './item.ts'
import type { Table } from './table.ts'

const pk = 'alert-events'
/** Events per query. */
const pageSize = 500
const sinceMax = 1000

/**
 * Stores an event as an item (`alert-events`, id). Ids begin with their time, so they sort by time.
 */
export function storedAlertEvents(table: Table, clock: Clock): AlertEvents {
  const isKept = ({ at }: AlertEvent) => at > clock.now() - eventRetention
  return {
    async add(event) {
      await table.put({ pk, sk: event.id, ttl: ttlAt(event.at + eventRetention), ...packed(event) })
    },
    async list({ limit, hostIds, where = () => true, ...range }) {
      const found: AlertEvent[] = []
      let after = endOf(range)
      while (found.length < limit) {
        const options = { newestFirst: true, limit: pageSize, after }
        const items = await table.query(pk, options)
        const asked = items.filter(({ sk }) => isMadeIn(sk, range))
        const events = asked.map((item) => unpacked<AlertEvent>(item)).filter(isKept)
        const seen = events.filter(({ subject }) => !hostIds || hostIds.has(subject.hostId))
        found.push(...seen.filter(where))
        if (asked.length < pageSize) break
        after = items.at(-1)?.sk
      }
      return found.slice(0, limit)
    },
    async since(at) {
      const items = await table.query(pk, { after: firstIdAt(at), limit: sinceMax })
      return items.map((item) => unpacked<AlertEvent>(item))
    },
  }
}
