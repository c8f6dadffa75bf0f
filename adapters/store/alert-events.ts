import {
  type AlertEvents,
  eventRetention,
  eventsReadMax,
} from '../../functions/core/ports/alert-events.ts'
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
      const isAsked = (event: AlertEvent) =>
        isKept(event) && (!hostIds || hostIds.has(event.subject.hostId)) && where(event)
      const events: AlertEvent[] = []
      let after = endOf(range)
      for (let read = 0; read < eventsReadMax; read += pageSize) {
        const options = { newestFirst: true, limit: pageSize, after }
        const items = await table.query(pk, options)
        const inRange = items.filter(({ sk }) => isMadeIn(sk, range))
        for (const event of inRange.map((item) => unpacked<AlertEvent>(item)).filter(isAsked)) {
          if (events.length === limit) return { events, next: events.at(-1)?.id }
          events.push(event)
        }
        if (inRange.length < pageSize) return { events, next: undefined }
        after = items.at(-1)?.sk
      }
      return { events, next: after }
    },
    async since(at) {
      const items = await table.query(pk, { after: firstIdAt(at), limit: sinceMax })
      return items.map((item) => unpacked<AlertEvent>(item))
    },
  }
}
