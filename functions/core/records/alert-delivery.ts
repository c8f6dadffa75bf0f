import type { AlertEvent } from './alert-event.ts'

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

/** The result of sending a notice once. */
export type SendResult =
  | { ok: true; status: number | null }
  | {
      ok: false
      /** The HTTP or SMTP status, if there was one. */
      status: number | null
      /**
       * A short message. It includes nothing that the receiver wrote, because that is not trusted.
       */
      error: string
      /**
       * The reason that the receiver gave, in one short line without secrets of the target. It is
       * not trusted: only the person who tests a channel sees it, and it is not stored.
       */
      answer?: string
      /** How long the receiver asks to wait before the next attempt. Milliseconds, or null. */
      retryAfter: number | null
      /** Whether another attempt would do harm. */
      final?: boolean
    }
