import type { components } from './api.types.ts'

export type Metric = components['schemas']['AlertRule']['metric']
export type Operator = components['schemas']['AlertRule']['operator']
export type Severity = components['schemas']['AlertRule']['severity']
export type MatchKey = 'hosts' | 'stacks' | 'containers'

interface MetricFacts {
  subject: 'container' | 'host' | 'stack' | 'backup_job'
  /** `state` is 1 while a condition holds. */
  scale: 'percent' | 'count' | 'state'
  match: readonly MatchKey[]
  forSeconds: number
  /** The threshold that a form begins with, if it is not that of others of the scale. */
  threshold?: string
}

const containers = { subject: 'container', match: ['hosts', 'stacks', 'containers'] } as const
const stack = { subject: 'stack', match: ['hosts', 'stacks'] } as const
const host = { subject: 'host', match: ['hosts'], forSeconds: 60 } as const

/** What a rule of each metric is about, and what it accepts. */
export const metricFacts: Readonly<Record<Metric, MetricFacts>> = {
  cpu_percent: { ...containers, scale: 'percent', forSeconds: 60 },
  memory_percent: { ...containers, scale: 'percent', forSeconds: 60 },
  restarts: { ...containers, scale: 'count', forSeconds: 600 },
  unhealthy: { ...containers, scale: 'state', forSeconds: 60 },
  container_down: { ...containers, scale: 'state', forSeconds: 60 },
  host_down: { ...host, scale: 'state' },
  disk_percent: { ...host, scale: 'percent' },
  service_disk_percent: { ...host, scale: 'percent' },
  backup_failed: { subject: 'backup_job', match: ['hosts'], scale: 'state', forSeconds: 0 },
  deploy_failed: { ...stack, scale: 'state', forSeconds: 0 },
  job_failed: { ...stack, scale: 'state', forSeconds: 0 },
  updates_available: { ...stack, scale: 'count', forSeconds: 0, threshold: '0' },
  update_checks_failed: { ...stack, scale: 'count', forSeconds: 3600, threshold: '0' },
  update_failed: { ...stack, scale: 'state', forSeconds: 0 },
  source_failed: { ...stack, scale: 'state', forSeconds: 0 },
}

export const metrics = Object.keys(metricFacts) as Metric[]

/** Returns the operators that a metric accepts, the usual one first. */
export function operatorsOf(metric: Metric): readonly Operator[] {
  const { scale } = metricFacts[metric]
  if (scale === 'state') return ['eq']
  return scale === 'count' ? ['gt', 'gte', 'eq'] : ['gt', 'gte', 'lt', 'lte']
}
