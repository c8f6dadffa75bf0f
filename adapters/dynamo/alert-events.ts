import type { AlertEvent } from '../../functions/core/alerts/event.ts'
import { type AlertEvents, eventsKept } from '../../functions/core/alerts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
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
export function dynamoAlertEvents(table: Table, clock: Clock): AlertEvents {
  const isKept = ({ at }: AlertEvent) => at > clock.now() - eventsKept
  return {
    async add(event) {
      await table.put({ pk, sk: event.id, ttl: ttlAt(event.at + eventsKept), ...packed(event) })
    },
    async list(limit, hostIds) {
      const found: AlertEvent[] = []
      let after: string | undefined
      for (let seen = 0; seen < lookedAtMax && found.length < limit; seen += pageSize) {
        const options = { newestFirst: true, limit: pageSize, after }
        const items = await table.query(pk, options)
        const events = items.map((item) => unpacked<AlertEvent>(item)).filter(isKept)
        found.push(...events.filter(({ subject }) => !hostIds || hostIds.has(subject.hostId)))
        if (items.length < pageSize) break
        after = items.at(-1)!.sk
      }
      return found.slice(0, limit)
    },
    async since(at) {
      const items = await table.query(pk, { after: beginningOf(at), limit: sinceMax })
      return items.map((item) => unpacked<AlertEvent>(item))
    },
  }
}

/** Returns a prefix that sorts before every id made from then on (RFC 9562, 5.7). */
function beginningOf(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
