import type { Severity } from './event.ts'

/** What a rule can look at. */
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
] as const
export type AlertMetric = (typeof alertMetrics)[number]

export const operators = ['gt', 'gte', 'lt', 'lte', 'eq'] as const
export type Operator = (typeof operators)[number]

/** What a metric is measured on. */
export type SubjectKind = 'container' | 'host' | 'stack' | 'backup_job'

/** Which of them a rule is for: globs, of which one must mean the name; a host's id counts as a name of it. */
export interface AlertMatch {
  hosts?: string[]
  stacks?: string[]
  containers?: string[]
}

/** When somebody is to be told. Times are milliseconds since the epoch. */
export interface AlertRule {
  id: string
  name: string
  metric: AlertMetric
  operator: Operator
  threshold: number
  /** How long it must hold before it fires; of `restarts` the time in which they are counted. */
  forSeconds: number
  /** For how long it does not fire again for the same subject. */
  cooldownSeconds: number
  match: AlertMatch
  severity: Severity
  /** Ids of the channels that are told. */
  channels: string[]
  /** Until then nobody is told that it fires. */
  mutedUntil: number | null
  enabled: boolean
  createdAt: number
  updatedAt: number
}

/** What holds for the rules of a metric. */
export interface MetricFacts {
  subject: SubjectKind
  /** `percent`: measured, and never quite the same twice; `count`: whole numbers; `state`: 1 while it is so, else 0. */
  scale: 'percent' | 'count' | 'state'
  /** The largest threshold. */
  most: number
  operators: readonly Operator[]
  match: readonly (keyof AlertMatch)[]
  /** Seconds, unless the rule says otherwise. */
  forSeconds: number
}

const ofContainers = ['hosts', 'stacks', 'containers'] as const
const compared = ['gt', 'gte', 'lt', 'lte'] as const

/** The metrics and what their rules can be. `cpu_percent` is that of `docker stats`: 100 for each processor that is busy. */
export const metricFacts: Readonly<Record<AlertMetric, MetricFacts>> = {
  cpu_percent: percent('container', 102_400),
  memory_percent: percent('container', 100),
  restarts: {
    ...{ subject: 'container', scale: 'count', most: 100, forSeconds: 600 },
    ...{ operators: ['gt', 'gte', 'eq'], match: ofContainers },
  },
  unhealthy: state('container', ofContainers, 60),
  container_down: state('container', ofContainers, 60),
  host_down: state('host', ['hosts'], 60),
  disk_percent: percent('host', 100),
  service_disk_percent: percent('host', 100),
  backup_failed: state('backup_job', ['hosts'], 0),
  deploy_failed: state('stack', ['hosts', 'stacks'], 0),
}

function percent(subject: SubjectKind, most: number): MetricFacts {
  const match = subject === 'host' ? (['hosts'] as const) : ofContainers
  return { subject, scale: 'percent', most, operators: compared, match, forSeconds: 60 }
}

function state(
  subject: SubjectKind,
  match: readonly (keyof AlertMatch)[],
  forSeconds: number,
): MetricFacts {
  return { subject, scale: 'state', most: 1, operators: ['eq'], match, forSeconds }
}

/** What is wrong with a rule, as `field: reason`; nothing when it can be. */
export function ruleProblem(rule: Pick<AlertRule, RuleFields>): string | undefined {
  const { metric, operator, threshold, match, forSeconds } = rule
  const facts = metricFacts[metric]
  const about = `with the metric ${metric}`
  if (!facts.operators.includes(operator)) {
    return `operator: ${facts.operators.join(', ')} ${about}`
  }
  if (facts.scale === 'state' && threshold !== 1) return `threshold: 1 ${about}`
  if (threshold > facts.most) return `threshold: at most ${facts.most} ${about}`
  if (facts.scale === 'count' && (!Number.isInteger(threshold) || threshold < 1)) {
    return `threshold: a whole number from 1 ${about}`
  }
  if (metric === 'restarts' && forSeconds < 60) {
    return `for_seconds: the time in which restarts are counted, at least 60`
  }
  const strange = Object.keys(match).find((key) => !facts.match.some((one) => one === key))
  return strange && `match.${strange}: a ${facts.subject} has none, ${about}`
}

type RuleFields = 'metric' | 'operator' | 'threshold' | 'match' | 'forSeconds'

/** What a rule measures: with another condition it is another rule, whose alerts begin anew. */
export const conditionOf = ({ metric, operator, threshold, forSeconds, match }: AlertRule) =>
  JSON.stringify([metric, operator, threshold, forSeconds, match])
