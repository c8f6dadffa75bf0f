import type { AlertEvent } from './event.ts'

/** An event on its way to one channel. */
export interface AlertDelivery {
  /** Made of the event's and the channel's id: the same however often it is sent. */
  id: string
  channelId: string
  event: AlertEvent
  /** `dead`: given up, and sent again only when somebody asks for it. */
  state: 'pending' | 'delivered' | 'dead'
  /** How often it was begun to be sent. */
  tries: number
  /** What came of the last try, or null. */
  error: string | null
  /** Milliseconds since the epoch, like all times here. */
  createdAt: number
  /** When it is sent next, while it is pending; else when it ended. */
  at: number
}

/** A delivery that one sender has for a while: what he writes counts only while nobody else took it. */
export type ClaimedDelivery = AlertDelivery & { readonly revision: number }

/** How a try ended. */
export type DeliveryOutcome =
  | { state: 'delivered' }
  | { state: 'pending'; at: number; error: string }
  | { state: 'dead'; error: string }

/** What came of the last try on a channel. */
export interface LastDelivery {
  state: DeliveryOutcome['state']
  error: string | null
  at: number
}

/** How long a delivery is known after it was made, so that it is not made twice. Milliseconds. */
export const deliveredKept = 7 * 86_400_000

/** How long a dead one can be seen and sent again. Milliseconds. */
export const deadKept = 30 * 86_400_000

/** The id of the delivery of an event to a channel. */
export const deliveryId = (eventId: string, channelId: string) => `${eventId}.${channelId}`

/** A delivery that nobody tried yet. */
export function newDelivery(event: AlertEvent, channelId: string, now: number): AlertDelivery {
  const id = deliveryId(event.id, channelId)
  return { id, channelId, event, state: 'pending', tries: 0, error: null, createdAt: now, at: now }
}

/** A delivery after a try. */
export function settled(
  delivery: AlertDelivery,
  outcome: DeliveryOutcome,
  now: number,
): AlertDelivery {
  const error = outcome.state === 'delivered' ? null : outcome.error
  return { ...delivery, state: outcome.state, error, at: 'at' in outcome ? outcome.at : now }
}

/** When nobody needs to know of it any more; null for one that is still to be sent. */
export function keptUntil({ state, at }: AlertDelivery): number | null {
  if (state === 'pending') return null
  return at + (state === 'dead' ? deadKept : deliveredKept)
}

/** The first so many of each channel, in the order in which they stand. */
export function firstOfEach<T extends { channelId: string }>(all: readonly T[], most: number): T[] {
  const counts = new Map<string, number>()
  return all.filter(({ channelId }) => {
    const count = (counts.get(channelId) ?? 0) + 1
    counts.set(channelId, count)
    return count <= most
  })
}
