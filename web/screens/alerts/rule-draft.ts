import {
  type MatchKey,
  type Metric,
  metricFacts,
  type Operator,
  operatorsOf,
  type Severity,
} from '../../data/alert-metrics.ts'
import type { AlertRule, RuleBody } from '../../data/alerts.ts'
import { splitCommas } from '../../data/split-words.ts'

/** The form of a rule. */
export interface RuleDraft {
  name: string
  metric: Metric
  operator: Operator
  threshold: string
  /** In seconds. */
  lasts: string
  severity: Severity
  match: Readonly<Record<MatchKey, string>>
  /** Undefined until the reader chooses, in a new rule. */
  channels: readonly string[] | undefined
  enabled: boolean
}

export interface DraftProps {
  draft: RuleDraft
  set: (change: Partial<RuleDraft>) => void
}

/** Returns what a form begins with: a rule, or a usual one. */
export function draftOf(rule: AlertRule | undefined): RuleDraft {
  const { hosts = [], stacks = [], containers = [] } = rule?.match ?? {}
  return {
    name: rule?.name ?? '',
    metric: rule?.metric ?? 'container_down',
    operator: rule?.operator ?? 'eq',
    threshold: String(rule?.threshold ?? 1),
    lasts: String(rule?.for_seconds ?? 60),
    severity: rule?.severity ?? 'warning',
    match: {
      hosts: hosts.join(', '),
      stacks: stacks.join(', '),
      containers: containers.join(', '),
    },
    channels: rule?.channels,
    enabled: rule?.enabled ?? true,
  }
}

/** Returns what changes with the metric: what it is compared with, and for how long. */
export function withMetric(metric: Metric): Partial<RuleDraft> {
  const { scale, forSeconds, threshold } = metricFacts[metric]
  const usual = { percent: '90', count: '3', state: '1' }
  const operator = operatorsOf(metric)[0] ?? 'eq'
  return { metric, operator, threshold: threshold ?? usual[scale], lasts: String(forSeconds) }
}

/** Returns the globs of a draft that apply to its metric. */
export function globsOf({ metric, match }: RuleDraft): Partial<Record<MatchKey, string[]>> {
  const typed = metricFacts[metric].match.map((key) => [key, splitCommas(match[key])] as const)
  return Object.fromEntries(typed.filter(([, globs]) => globs.length > 0))
}

/** Returns the channels of a draft: those that were chosen, or else the only one that there is. */
export function channelsOf(
  { channels }: Pick<RuleDraft, 'channels'>,
  known: readonly { id: string }[],
): readonly string[] {
  if (channels !== undefined) return channels
  return known.length === 1 ? known.map(({ id }) => id) : []
}

/**
 * Returns the request for a draft.
 *
 * @param known the channels that there are
 */
export const bodyOf = (draft: RuleDraft, known: readonly { id: string }[]): RuleBody => ({
  name: draft.name.trim(),
  metric: draft.metric,
  operator: draft.operator,
  threshold: Number(draft.threshold),
  for_seconds: Number(draft.lasts),
  match: globsOf(draft),
  severity: draft.severity,
  channels: [...channelsOf(draft, known)],
  enabled: draft.enabled,
})
