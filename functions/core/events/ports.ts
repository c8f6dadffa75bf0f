import type { Caller } from '../access/account.ts'
import type { Following } from '../feeds/broadcast.ts'
import type { EventPiece } from './happening.ts'

/** Which events are asked for. */
export interface EventWish {
  /** Only those of this host. */
  host?: string
  /** Also what happened from then on. Milliseconds since the epoch. */
  since?: number
}

/** What happens on all hosts and in all processes of the service. */
export interface Happenings {
  /**
   * The messages that the caller may know, as his role and scope are at each; from when this resolves none is missing
   * without a message that says so. They are followed until their return. Throws a `Failure` 401 once his credential is over,
   * and `TooSlow`.
   */
  follow(caller: Caller, wish: EventWish): Promise<Following<EventPiece>>
}
