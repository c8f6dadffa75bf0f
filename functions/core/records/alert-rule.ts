/** The severities of rules, in ascending order. */
export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** The metrics that a rule can measure. */
export const alertMetrics = [
  'cpu_percent',
  'memory_percent',
  'restarts',
  'unhealthy',
  'container_down',
  'host_down',
  'disk_percent',
  'service_disk_percent',
  'backup_failed',
  'deploy_failed',
  'job_failed',
  'updates_available',
  'update_checks_failed',
  'update_failed',
  'source_failed',
] as const

export type AlertMetric = (typeof alertMetrics)[number]

export const operators = ['gt', 'gte', 'lt', 'lte', 'eq'] as const

export type Operator = (typeof operators)[number]

/** The kind of subject that a metric is measured on. */
export type SubjectKind = 'container' | 'host' | 'stack' | 'backup_job'

/**
 * The subjects of a rule, as globs. One of each list must match the name; hosts also match by ID.
 */
export interface AlertMatch {
  hosts?: string[]
  stacks?: string[]
  containers?: string[]
}

/** A rule that decides when to send an alert. Times are milliseconds since the epoch. */
export interface AlertRule {
  id: string
  name: string
  metric: AlertMetric
  operator: Operator
  threshold: number
  /**
   * Seconds that the condition must hold before the alert fires; for `restarts` the period in which
   * they are counted.
   */
  forSeconds: number
  /** Seconds in which the rule does not fire again for the same subject. */
  cooldownSeconds: number
  match: AlertMatch
  severity: Severity
  /** IDs of the channels to notify. */
  channels: string[]
  /** No notifications of firing alerts are sent before this time. */
  mutedUntil: number | null
  enabled: boolean
  createdAt: number
  updatedAt: number
}
