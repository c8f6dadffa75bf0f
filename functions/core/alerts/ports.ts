import type { Collection, Stored } from '../collection.ts'
import type { SendResult } from './attempt.ts'
import type { AlertChannel, AlertTarget } from './channel.ts'
import type { AlertDelivery, ClaimedDelivery, DeliveryOutcome, LastDelivery } from './delivery.ts'
import type { AlertEvent } from './event.ts'
import type { Notice } from './notice.ts'
import type { AlertRule } from './rule.ts'
import type { RuleState } from './state.ts'
import type { HostWatch } from './watch.ts'

/** The channels, encrypted at rest. Names are unique: a `create` or `replace` with a taken one gives false. */
export type AlertChannels = Collection<AlertChannel>

/** What is to be sent, until it was: kept across restarts and shared by all processes. */
export interface AlertDeliveries {
  /**
   * Enters an event for each of the channels, to be sent at once. Safe to repeat: what was entered before, also what is sent by
   * now, is left as it is.
   */
  add(event: AlertEvent, channelIds: readonly string[]): Promise<void>
  /** Pending ones whose time has come and that nobody has, the longest waiting first; at most so many of a channel. */
  due(perChannel: number): Promise<Pick<AlertDelivery, 'id' | 'channelId'>[]>
  /**
   * Takes one that is due, for that many milliseconds: exactly one of all who ask gets it, and the try is counted. One whose
   * sender never said how it ended is due again after that.
   */
  claim(id: string, milliseconds: number): Promise<ClaimedDelivery | undefined>
  /** Writes how it ended. False when somebody else took it meanwhile, or it is gone. */
  settle(claimed: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>
  find(id: string): Promise<AlertDelivery | undefined>
  /** Of a state: dead ones the newest first, pending ones in the order in which they are due. */
  list(state: 'pending' | 'dead', limit: number): Promise<AlertDelivery[]>
  /** Makes a dead one pending, due at once, as if it had never been tried. False when it is not dead. */
  retry(id: string): Promise<boolean>
  /** Forgets all that is on its way to a channel, and what came of it. */
  dropChannel(channelId: string): Promise<void>
  /** What came of the last try, by channel. */
  last(): Promise<Record<string, LastDelivery>>
}

/** Tells a channel, over the network. */
export interface AlertSender {
  /** Sends once and says what came of it, within ten seconds. Never throws for what the receiver does or is. */
  send(target: AlertTarget, notice: Notice): Promise<SendResult>
}

/** The rules. Names are unique: a `create` or `replace` with a taken one gives false. */
export type AlertRules = Collection<AlertRule>

/** Where things stand with rules, by host and rule. What one process writes, all see. */
export interface AlertStates {
  ofHost(hostId: string): Promise<Stored<RuleState>[]>
  /** Writes a new one (revision 0), or one as it was read; nothing when another wrote it since. Gives it as it is now. */
  save(state: Stored<RuleState>): Promise<Stored<RuleState> | undefined>
  /** False when another wrote it since. */
  remove(state: Stored<RuleState>): Promise<boolean>
}

/** What has to be remembered of hosts, by their ids. */
export type HostWatches = Collection<HostWatch>

/** What fired and resolved, for thirty days. */
export interface AlertEvents {
  /** Safe to repeat. */
  add(event: AlertEvent): Promise<void>
  /** Newest first; of these hosts alone, when they are given. */
  list(limit: number, hostIds?: ReadonlySet<string>): Promise<AlertEvent[]>
  /** Those decided from then on (milliseconds since the epoch), at most a thousand, oldest first. */
  since(at: number): Promise<AlertEvent[]>
}

/** How long events are kept. Milliseconds. */
export const eventsKept = 30 * 86_400_000
