/** How much a rule matters, from least to most. */
export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** What an alert is about: a host, or something on one. */
export interface AlertSubject {
  kind: string
  id: string
  name: string
  /** The host that it is on, or is. */
  hostId: string
  hostName: string
}

/** That a rule began to hold for a subject, or held no longer. It says all that a message of it needs. */
export interface AlertEvent {
  /** Unique, and the same however often the event is told. Letters, digits, `-` and `_`, 64 at most. */
  id: string
  ruleId: string
  ruleName: string
  metric: string
  /** `gt`, `gte`, `lt`, `lte` or `eq`. */
  operator: string
  subject: AlertSubject
  state: 'firing' | 'resolved'
  /** What was measured; null where there is nothing to measure any more, as of a container that is gone. */
  value: number | null
  threshold: number
  severity: Severity
  /** Milliseconds since the epoch. */
  at: number
}
