import type { Caller } from '../access/account.ts'
import type { Following } from '../feeds/broadcast.ts'
import type { EventPiece } from './happening.ts'

/** The events to follow. */
export interface EventWish {
  /** Only events of this host. */
  host?: string
  /** Also past events from this time on. Milliseconds since the epoch. */
  since?: number
}

/** The events of all hosts and of all processes of the service. */
export interface Happenings {
  /**
   * Returns the messages that the caller may see, by their role and scope at the time of each
   * event. From the moment this resolves no event is lost without a gap message. The feed is open
   * until its `return` is called.
   *
   * @throws 401 once the caller's credential has ended
   * @throws `TooSlow` if the caller does not read fast enough
   */
  follow(caller: Caller, wish: EventWish): Promise<Following<EventPiece>>
}
