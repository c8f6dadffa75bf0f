import type { AlertEvent } from './event.ts'

/** An event to be delivered to one channel. */
export interface AlertDelivery {
  /** Built from the IDs of the event and the channel, so it is the same for every attempt. */
  id: string
  channelId: string
  event: AlertEvent
  /** `dead`: given up; sent again only on request. */
  state: 'pending' | 'delivered' | 'dead'
  /** The number of attempts started. */
  tries: number
  /** The error of the latest attempt, or null. */
  error: string | null
  /** Milliseconds since the epoch, like all times here. */
  createdAt: number
  /** While pending, when it is sent next; otherwise when it ended. */
  at: number
}

/**
 * A delivery that one sender has claimed for a while. A write by this sender succeeds only if no
 * other sender claimed it since.
 */
export type ClaimedDelivery = AlertDelivery & { readonly revision: number }

/** The outcome of an attempt. */
export type DeliveryOutcome =
  | { state: 'delivered' }
  | { state: 'pending'; at: number; error: string }
  | { state: 'dead'; error: string }

/** The result of the latest attempt on a channel. */
export interface LastDelivery {
  state: DeliveryOutcome['state']
  error: string | null
  at: number
}

/** How long a delivery is kept after it was sent, so that it is not created again. Milliseconds. */
export const deliveredKept = 7 * 86_400_000

/** How long a dead delivery can be listed and retried. Milliseconds. */
export const deadKept = 30 * 86_400_000

/** Returns the ID of the delivery of an event to a channel. */
export const deliveryId = (eventId: string, channelId: string) => `${eventId}.${channelId}`

/** Returns a delivery before its first attempt. */
export function newDelivery(event: AlertEvent, channelId: string, now: number): AlertDelivery {
  const id = deliveryId(event.id, channelId)
  return { id, channelId, event, state: 'pending', tries: 0, error: null, createdAt: now, at: now }
}

/** Returns a delivery after an attempt. */
export function settled(
  delivery: AlertDelivery,
  outcome: DeliveryOutcome,
  now: number,
): AlertDelivery {
  const error = outcome.state === 'delivered' ? null : outcome.error
  return { ...delivery, state: outcome.state, error, at: 'at' in outcome ? outcome.at : now }
}

/** Returns when a delivery may be removed; null while it is pending. */
export function keptUntil({ state, at }: AlertDelivery): number | null {
  if (state === 'pending') return null
  return at + (state === 'dead' ? deadKept : deliveredKept)
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
