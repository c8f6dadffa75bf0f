import type { AlertEvent, AlertSubject } from './event.ts'
import type { AlertRule } from './rule.ts'

/** Where a subject stands with a rule. Times are milliseconds since the epoch. */
export type SubjectState =
  | {
      phase: 'pending'
      /** Since when it holds without a break. */
      since: number
      value: number
    }
  | {
      phase: 'firing'
      firedAt: number
      /** Since when it may be over. */
      clearSince: number | null
      value: number
      eventId: string
      /** Whether the channels were told: not while the rule is muted. */
      told: boolean
    }
  | {
      /** It fired a short while ago and is over; it does not fire again before that time. */
      phase: 'cooling'
      until: number
      /** Since when it holds again. */
      since: number | null
    }

/** An event that was decided, with the channels that are told of it. */
export interface Announcement {
  event: AlertEvent
  channels: string[]
}

/** What of a rule outlives it: alerts of a rule that was deleted are resolved in its name. */
export type RuleTraits = Pick<
  AlertRule,
  'name' | 'metric' | 'operator' | 'threshold' | 'severity' | 'channels'
>

/** Everything that is known of a rule on one host. Subjects that it does not hold for are not in it. */
export interface RuleState {
  hostId: string
  ruleId: string
  /** What the rule measured when this was written; see `conditionOf`. */
  condition: string
  rule: RuleTraits
  subjects: Record<string, SubjectState & { subject: AlertSubject }>
  /** Decided and maybe not told yet. */
  outbox: Announcement[]
  /** The number of the lease under which it was written: a process with a lower one has lost it. */
  fence: number
}

/** The key of a subject: a container that is made anew under its name is the same. */
export const keyOf = ({ kind, id, name }: AlertSubject) =>
  kind === 'container' ? `container ${name}` : `${kind} ${id}`
