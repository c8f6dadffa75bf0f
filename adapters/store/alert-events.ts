import { type AlertEvents, eventRetention } from '../../functions/core/ports/alert-events.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { AlertEvent } from '../../functions/core/records/alert-event.ts'
import { firstIdAt, isMadeIn } from '../../functions/core/records/time-range.ts'
import { packed, ttlAt, unpacked } from './item.ts'
import type { Table } from './table.ts'

const pk = 'alert-events'
/** Events per query, and the most events that a filtered list reads. */
const pageSize = 500
const lookedAtMax = 10_000
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
    async list({ limit, hostIds, since, until }) {
      const found: AlertEvent[] = []
      let after = until === undefined ? undefined : firstIdAt(until)
      for (let seen = 0; seen < lookedAtMax && found.length < limit; seen += pageSize) {
        const options = { newestFirst: true, limit: pageSize, after }
        const items = await table.query(pk, options)
        const asked = items.filter(({ sk }) => isMadeIn(sk, { since }))
        const events = asked.map((item) => unpacked<AlertEvent>(item)).filter(isKept)
        found.push(...events.filter(({ subject }) => !hostIds || hostIds.has(subject.hostId)))
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
