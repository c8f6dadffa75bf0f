import type {
  AlertDelivery,
  ClaimedDelivery,
  DeliveryOutcome,
  LastDelivery,
} from '../records/alert-delivery.ts'
import type { AlertEvent } from '../records/alert-event.ts'

/** Where a delivery stands in the list of its state. */
export type DeliveryPlace = Pick<AlertDelivery, 'id' | 'at'>

/**
 * A part of a list. `next` is the place before which the list goes on; undefined if it ends with
 * this part.
 */
export interface DeliveryPage {
  deliveries: AlertDelivery[]
  next: DeliveryPlace | undefined
}

/** The queue of deliveries. It survives restarts and is shared by all processes. */
export interface AlertDeliveries {
  /**
   * Adds an event for each of the channels, due at once. Idempotent: existing deliveries, including
   * finished ones, stay as they are.
   */
  add(event: AlertEvent, channelIds: readonly string[]): Promise<void>
  /**
   * Returns pending deliveries that are due and not claimed, longest waiting first, at most
   * `perChannel` of each channel.
   */
  due(perChannel: number): Promise<Pick<AlertDelivery, 'id' | 'channelId'>[]>
  /**
   * Claims a due delivery for this time and counts the attempt. Only one of several concurrent
   * calls gets it. If the sender records no outcome, the delivery is due again after that time.
   */
  claim(id: string, milliseconds: number): Promise<ClaimedDelivery | undefined>
  /**
   * Records the outcome. Returns false if another sender claimed the delivery in the meantime, or
   * it was removed.
   */
  recordAttempt(claimed: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>
  find(id: string): Promise<AlertDelivery | undefined>
  /**
   * Returns deliveries of a state: dead ones newest first, pending ones in the order they are due.
   * `before`: only dead ones that come after this place. A part has fewer than the limit if some
   * left the state just now.
   */
  list(state: 'pending' | 'dead', limit: number, before?: DeliveryPlace): Promise<DeliveryPage>
  /**
   * Makes a dead delivery pending and due at once, with no attempts counted. Returns false if it is
   * not dead.
   */
  retry(id: string): Promise<boolean>
  /** Removes all deliveries to a channel and their results. */
  dropChannel(channelId: string): Promise<void>
  /** Returns the result of the latest attempt by channel. */
  last(): Promise<Record<string, LastDelivery>>
}
