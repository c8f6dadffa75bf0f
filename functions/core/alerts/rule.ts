import type {
  AlertMatch,
  AlertMetric,
  AlertRule,
  Operator,
  SubjectKind,
} from '../records/alert-rule.ts'

/** The constraints on rules of a metric. */
export interface MetricFacts {
  subject: SubjectKind
  /**
   * `percent`: a measured value that fluctuates; `count`: a whole number; `state`: 1 while the
   * condition holds, otherwise 0.
   */
  scale: 'percent' | 'count' | 'state'
  /** The minimum and maximum threshold. */
  least: number
  most: number
  /** The default threshold; a rule needs one if there is none. */
  usual?: number
  operators: readonly Operator[]
  match: readonly (keyof AlertMatch)[]
  /** The default in seconds. */
  forSeconds: number
}

const ofContainers = ['hosts', 'stacks', 'containers'] as const
const compared = ['gt', 'gte', 'lt', 'lte'] as const

/**
 * The metrics and their constraints. `cpu_percent` is as in `docker stats`: 100 for each busy
 * processor.
 */
export const metricFacts: Readonly<Record<AlertMetric, MetricFacts>> = {
  cpu_percent: percent('container', 102_400),
  memory_percent: percent('container', 100),
  restarts: {
    subject: 'container',
    scale: 'count',
    least: 1,
    most: 100,
    forSeconds: 600,
    operators: ['gt', 'gte', 'eq'],
    match: ofContainers,
  },
  unhealthy: state('container', ofContainers, 60),
  container_down: state('container', ofContainers, 60),
  host_down: state('host', ['hosts'], 60),
  disk_percent: percent('host', 100),
  service_disk_percent: percent('host', 100),
  backup_failed: state('backup_job', ['hosts'], 0),
  deploy_failed: state('stack', ['hosts', 'stacks'], 0),
  job_failed: state('stack', ['hosts', 'stacks'], 0),
  updates_available: services(0),
  // A look that failed is repeated after half an hour.
  update_checks_failed: services(3600),
  update_failed: state('stack', ['hosts', 'stacks'], 0),
  source_failed: state('stack', ['hosts', 'stacks'], 0),
}

function percent(subject: SubjectKind, most: number): MetricFacts {
  const match = subject === 'host' ? (['hosts'] as const) : ofContainers
  return { subject, scale: 'percent', least: 0, most, operators: compared, match, forSeconds: 60 }
}

function state(
  subject: SubjectKind,
  match: readonly (keyof AlertMatch)[],
  forSeconds: number,
): MetricFacts {
  const facts = { least: 1, most: 1, usual: 1, operators: ['eq'] } as const
  return { subject, scale: 'state', ...facts, match, forSeconds }
}

/** Returns the constraints on rules for a number of services of a stack. */
function services(forSeconds: number): MetricFacts {
  const facts = { least: 0, most: 1000, usual: 0, operators: ['gt', 'gte', 'eq'] } as const
  return { subject: 'stack', scale: 'count', ...facts, match: ['hosts', 'stacks'], forSeconds }
}

/** Returns what is wrong with a rule as `field: reason`, or undefined if it is valid. */
export function ruleProblem(rule: Pick<AlertRule, RuleFields>): string | undefined {
  const { metric, operator, threshold, match, forSeconds } = rule
  const facts = metricFacts[metric]
  const about = `with the metric ${metric}`
  if (!facts.operators.includes(operator)) {
    return `operator: must be ${facts.operators.join(' or ')} ${about}`
  }
  if (facts.scale === 'state' && threshold !== 1) return `threshold: must be 1 ${about}`
  if (threshold > facts.most) return `threshold: must be at most ${facts.most} ${about}`
  // With the other operators, 0 would fire although there is nothing to count.
  const least = operator === 'gt' ? facts.least : 1
  if (facts.scale === 'count' && (!Number.isInteger(threshold) || threshold < least)) {
    return `threshold: must be a whole number from ${least} ${about} and the operator ${operator}`
  }
  if (metric === 'restarts' && forSeconds < 60) {
    return `for_seconds: must be at least 60, the period in which restarts are counted`
  }
  const strange = Object.keys(match).find((key) => !facts.match.some((one) => one === key))
  return strange && `match.${strange}: does not apply to a ${facts.subject}, ${about}`
}

type RuleFields = 'metric' | 'operator' | 'threshold' | 'match' | 'forSeconds'

/**
 * Returns what a rule measures as text. If it changes, the rule counts as a new one and its alerts
 * start over.
 */
export const conditionOf = ({ metric, operator, threshold, forSeconds, match }: AlertRule) =>
  JSON.stringify([metric, operator, threshold, forSeconds, match])
