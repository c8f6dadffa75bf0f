import { type AlertEvents, eventRetention } from '../../../functions/core/ports/alert-events.ts'
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
    list: async ({ limit, hostIds, where = () => true, ...range }) =>
      inOrder()
        .filter(({ id }) => isMadeIn(id, range))
        .filter(({ subject }) => !hostIds || hostIds.has(subject.hostId))
        .filter(where)
        .reverse()
        .slice(0, limit),
    since: async (from) => inOrder().filter(({ at }) => at >= from),
  }
}
