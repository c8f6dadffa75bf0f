import type { AlertEvent } from '../../functions/core/alerts/event.ts'
import { type AlertEvents, eventsKept } from '../../functions/core/alerts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Returns alert events in memory. */
export function memoryAlertEvents(clock: Clock): AlertEvents {
  const events = new Map<string, AlertEvent>()
  const inOrder = () =>
    [...events.values()]
      .filter(({ at }) => at > clock.now() - eventsKept)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    async add(event) {
      events.set(event.id, structuredClone(event))
    },
    list: async (limit, hostIds) =>
      inOrder()
        .filter(({ subject }) => !hostIds || hostIds.has(subject.hostId))
        .reverse()
        .slice(0, limit),
    since: async (from) => inOrder().filter(({ at }) => at >= from),
  }
}
