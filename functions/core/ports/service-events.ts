import type { Caller } from '../records/account.ts'
import type { EventKind } from '../records/event-kinds.ts'
import type { Permission } from '../records/permissions.ts'
import type { BroadcastItem, Subscription } from '../streams/broadcast.ts'
import type { Encoded } from '../streams/message.ts'

type Detail = string | number | boolean | null

/** The events to follow. */
export interface EventFilter {
  /** Only events of this host. */
  host?: string
  /** Also past events from this time on. Milliseconds since the epoch. */
  since?: number
  /** Also a message after the past events, which says that these were all. */
  marksPast?: boolean
  /** Also a message every 30 s, for a client that cannot see pings. */
  beats?: boolean
}

/** The events of all hosts and of all processes of the service. */
export interface ServiceEvents {
  /**
   * Returns the messages that the caller may see, by their role and scope at the time of each
   * event. From the moment this resolves no event is lost without a gap message. The feed is open
   * until its `return` is called.
   *
   * @throws 401 once the caller's credential has ended
   * @throws `TooSlow` if the caller does not read fast enough
   */
  follow(caller: Caller, wish: EventFilter): Promise<Subscription<BroadcastItem & Encoded>>
}

/** An event on a host or in the service. */
export interface ServiceEvent {
  /** Identical whenever the same event is reported again, by any process. */
  id: string
  /** RFC 3339. */
  time: string
  source: 'docker' | 'service'
  /** The subject's kind, then what happened: `container.start`, `stack.deploy.step`. */
  kind: EventKind
  subject: { kind: string; id: string; name: string | null } | null
  /** The name of the user who caused it, if known. */
  by: string | null
  details: Record<string, Detail>
  /** The hosts that it concerns. */
  hosts: readonly string[]
  /** The ID of the user who caused it. Users may see their own events on any host. */
  userId: string | null
  /** Returns whether a caller with the permission may see it, if that needs more. */
  isFor?: (caller: Caller) => boolean
}

/**
 * A period in which events of a host, or of the service (null), were lost. Milliseconds since the
 * epoch.
 */
export interface Gap {
  hostId: string | null
  from: number
  to: number
}

/** Events since an instant, as far as they were read. */
export interface PastEvents {
  events: ServiceEvent[]
  /** The time from which none is missing, in milliseconds since the epoch. */
  completeFrom: number
}

/**
 * A message of the event feed, encoded once for all subscribers, and what decides who may see it.
 */
export interface EncodedEvent extends BroadcastItem, Encoded {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  needs: Permission
  hosts: readonly string[]
  userId: string | null
  isFor?: ((caller: Caller) => boolean) | undefined
  /** The same without the name of its host, for its user if that is outside their scope. */
  withoutName?: (BroadcastItem & Encoded) | undefined
  /** It only says that the feed is alive, to subscribers that asked for it. */
  isHeartbeat?: true
}
