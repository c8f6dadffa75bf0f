import type { AlertEvent } from '../records/alert-event.ts'
import type { TimeRange } from '../records/time-range.ts'

/** A filter for events, which may name a time range. */
export interface AlertEventQuery extends TimeRange {
  /** Only events of these hosts. */
  hostIds?: ReadonlySet<string> | undefined
  /** Only events for which it returns true. The limit counts these. */
  where?: (event: AlertEvent) => boolean
  limit: number
}

/**
 * A part of a list. `next` is the id before which the list goes on; undefined if it ends with this
 * part.
 */
export interface AlertEventPage {
  events: AlertEvent[]
  next: string | undefined
}

/** Events that a list reads before it stops and reports that there are more. */
export const eventsReadMax = 10_000

/** The events of alerts that fired and resolved in the last thirty days. */
export interface AlertEvents {
  /** Idempotent. */
  add(event: AlertEvent): Promise<void>
  /**
   * Returns events, newest first. A part has fewer than the limit, or none, if `eventsReadMax` were
   * read for it.
   */
  list(query: AlertEventQuery): Promise<AlertEventPage>
  /**
   * Returns at most a thousand events from this time on (milliseconds since the epoch), oldest
   * first.
   */
  since(at: number): Promise<AlertEvent[]>
}

/** How long events are kept. Milliseconds. */
export const eventRetention = 30 * 86_400_000
