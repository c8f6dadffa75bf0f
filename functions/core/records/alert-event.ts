import type { AlertMetric, Operator, Severity, SubjectKind } from './alert-rule.ts'

/** The subject of an alert: a host or something on a host. */
export interface AlertSubject {
  kind: SubjectKind
  id: string
  name: string
  /** The host that the subject is on, or the host itself. */
  hostId: string
  hostName: string
}

/**
 * The event that the condition of a rule begins to hold for a subject, or no longer holds. It
 * contains everything that a message needs.
 */
export interface AlertEvent {
  /** Unique, and the same whenever the event is sent. At most 64 letters, digits, `-` and `_`. */
  id: string
  ruleId: string
  ruleName: string
  metric: AlertMetric
  operator: Operator
  subject: AlertSubject
  state: 'firing' | 'resolved'
  /**
   * The measured value; null if nothing can be measured any more, such as for a removed container.
   */
  value: number | null
  /** It resolved because the subject was removed. */
  isGone?: true
  threshold: number
  /** What is known of the cause, in one line, such as the output of a failed health check. */
  detail?: string
  severity: Severity
  /** Milliseconds since the epoch. */
  at: number
}
