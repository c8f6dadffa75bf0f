import type { Collection, Stored } from '../collection.ts'
import type { SendResult } from './attempt.ts'
import type { AlertChannel, AlertTarget } from './channel.ts'
import type { AlertDelivery, ClaimedDelivery, DeliveryOutcome, LastDelivery } from './delivery.ts'
import type { AlertEvent } from './event.ts'
import type { Notice } from './notice.ts'
import type { AlertRule } from './rule.ts'
import type { RuleState } from './state.ts'
import type { HostWatch } from './watch.ts'

/**
 * The channels, encrypted at rest. Names are unique: `create` and `replace` fail for a name that is
 * taken.
 */
export type AlertChannels = Collection<AlertChannel>

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
   * calls gets it. If the sender does not settle it, the delivery is due again after that time.
   */
  claim(id: string, milliseconds: number): Promise<ClaimedDelivery | undefined>
  /**
   * Records the outcome. Returns false if another sender claimed the delivery in the meantime, or
   * it was removed.
   */
  settle(claimed: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>
  find(id: string): Promise<AlertDelivery | undefined>
  /**
   * Returns deliveries of a state: dead ones newest first, pending ones in the order they are due.
   */
  list(state: 'pending' | 'dead', limit: number): Promise<AlertDelivery[]>
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

/** Sends notices over the network. */
export interface AlertSender {
  /**
   * Sends once and returns the result within ten seconds. Does not throw for errors of the
   * receiver.
   */
  send(target: AlertTarget, notice: Notice): Promise<SendResult>
}

/** The rules. Names are unique: `create` and `replace` fail for a name that is taken. */
export type AlertRules = Collection<AlertRule>

/** The states of rules by host and rule, shared by all processes. */
export interface AlertStates {
  ofHost(hostId: string): Promise<Stored<RuleState>[]>
  /**
   * Writes a new state (revision 0) or replaces one as it was read. Returns the stored state, or
   * undefined if it was written since.
   */
  save(state: Stored<RuleState>): Promise<Stored<RuleState> | undefined>
  /** Returns false if the state was written since it was read. */
  remove(state: Stored<RuleState>): Promise<boolean>
}

/** What is remembered of hosts, by host ID. */
export type HostWatches = Collection<HostWatch>

/** The events of alerts that fired and resolved in the last thirty days. */
export interface AlertEvents {
  /** Idempotent. */
  add(event: AlertEvent): Promise<void>
  /** Returns events, newest first; with `hostIds` only those of these hosts. */
  list(limit: number, hostIds?: ReadonlySet<string>): Promise<AlertEvent[]>
  /**
   * Returns at most a thousand events from this time on (milliseconds since the epoch), oldest
   * first.
   */
  since(at: number): Promise<AlertEvent[]>
}

/** How long events are kept. Milliseconds. */
export const eventsKept = 30 * 86_400_000
