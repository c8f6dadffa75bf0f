import type { Caller } from '../access/account.ts'
import type { EncodedText } from '../feeds/message.ts'

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
   * without a message that says so. Its iterator throws a `Failure` 401 once his credential is over, and `TooSlow`.
   */
  follow(caller: Caller, wish: EventWish, signal: AbortSignal): Promise<AsyncIterable<EncodedText>>
}
