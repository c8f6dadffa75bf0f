import {
  type AlertEvents,
  eventRetention,
  eventsReadMax,
} from '../../../functions/core/ports/alert-events.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { AlertEvent } from '../../../functions/core/records/alert-event.ts'
import { isMadeIn } from '../../../functions/core/records/time-range.ts'

/** Returns an in-memory store of alert events. */
export function memoryAlertEvents(clock: Clock): AlertEvents {
  const events = new Map<string, AlertEvent>()
  const inOrder = () =>
    [...events.values()]
      .filter(({ at }) => at > clock.now() - eventRetention)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    async add(event) {
      events.set(event.id, structuredClone(event))
    },
    async list({ limit, hostIds, where = () => true, ...range }) {
      const inRange = inOrder()
        .filter(({ id }) => isMadeIn(id, range))
        .reverse()
      const read = inRange.slice(0, eventsReadMax)
      const found = read
        .filter(({ subject }) => !hostIds || hostIds.has(subject.hostId))
        .filter(where)
      const events = found.slice(0, limit)
      if (found.length > limit) return { events, next: events.at(-1)?.id }
      return { events, next: inRange.length > read.length ? read.at(-1)?.id : undefined }
    },
    since: async (from) => inOrder().filter(({ at }) => at >= from),
  }
}
