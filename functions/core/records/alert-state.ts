import type { AlertEvent, AlertSubject } from './alert-event.ts'
import type { AlertRule } from './alert-rule.ts'

/** The state of a subject for a rule. Times are milliseconds since the epoch. */
export type SubjectState =
  | {
      phase: 'pending'
      /** Since when the condition has held without interruption. */
      since: number
      value: number
    }
  | {
      phase: 'firing'
      firedAt: number
      /** Since when the condition has been clear, or null. */
      clearSince: number | null
      value: number
      eventId: string
      /** Whether the channels were notified. They are not while the rule is muted. */
      told: boolean
    }
  | {
      /** The alert was resolved recently and does not fire again before `until`. */
      phase: 'cooling'
      until: number
      /** Since when the condition has held again, or null. */
      since: number | null
    }

/** An event and the channels to notify of it. */
export interface Announcement {
  event: AlertEvent
  channels: string[]
}

/** The properties that outlive a rule: the alerts of a deleted rule are resolved with them. */
export type RuleTraits = Pick<
  AlertRule,
  'name' | 'metric' | 'operator' | 'threshold' | 'severity' | 'channels'
>

/**
 * The state of a rule on one host. Contains only subjects that are pending, firing or cooling down.
 */
export interface RuleState {
  hostId: string
  ruleId: string
  /** What the rule measured when this was written, see `conditionOf`. */
  condition: string
  rule: RuleTraits
  subjects: Record<string, SubjectState & { subject: AlertSubject }>
  /** Events that were decided and may not have been announced yet. */
  outbox: Announcement[]
  /**
   * The fence of the lease under which this was written. A process with a lower fence has lost the
   * lease.
   */
  fence: number
}

/** Returns the key of a subject. A container that is recreated under its name keeps its key. */
export const keyOf = ({ kind, id, name }: AlertSubject) =>
  kind === 'container' ? `container ${name}` : `${kind} ${id}`
