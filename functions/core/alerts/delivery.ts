import type { AlertDelivery, DeliveryOutcome } from '../records/alert-delivery.ts'
import type { AlertEvent } from '../records/alert-event.ts'

/** How long a delivery is kept after it was sent, so that it is not created again. Milliseconds. */
export const deliveredRetention = 7 * 86_400_000

/** How long a dead delivery can be listed and retried. Milliseconds. */
export const deadRetention = 30 * 86_400_000

/** Returns the ID of the delivery of an event to a channel. */
export const deliveryId = (eventId: string, channelId: string) => `${eventId}.${channelId}`

/** Returns a delivery before its first attempt. */
export function newDelivery(event: AlertEvent, channelId: string, now: number): AlertDelivery {
  const id = deliveryId(event.id, channelId)
  return { id, channelId, event, state: 'pending', tries: 0, error: null, createdAt: now, at: now }
}

/** Returns a delivery after an attempt. */
export function afterAttempt(
  delivery: AlertDelivery,
  outcome: DeliveryOutcome,
  now: number,
): AlertDelivery {
  const error = outcome.state === 'delivered' ? null : outcome.error
  return { ...delivery, state: outcome.state, error, at: 'at' in outcome ? outcome.at : now }
}

/** Returns when a delivery may be removed; null while it is pending. */
export function retainUntil({ state, at }: AlertDelivery): number | null {
  if (state === 'pending') return null
  return at + (state === 'dead' ? deadRetention : deliveredRetention)
}

/** Returns the first `most` entries of each channel, in their order. */
export function firstOfEach<T extends { channelId: string }>(all: readonly T[], most: number): T[] {
  const counts = new Map<string, number>()
  return all.filter(({ channelId }) => {
    const count = (counts.get(channelId) ?? 0) + 1
    counts.set(channelId, count)
    return count <= most
  })
}
