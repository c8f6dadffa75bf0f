import { type AlertRule, metricFacts } from './rule.ts'

type Condition = Pick<AlertRule, 'metric' | 'operator' | 'threshold'>

/** Whether a value is what the rule warns of. */
export const breaches = ({ operator, threshold }: Condition, value: number): boolean =>
  compare[operator](value, threshold)

/**
 * Whether a value is so far from the threshold that the alert is over. A percentage must go back by a twentieth of the
 * threshold: one that wavers around it neither fires nor resolves again and again.
 */
export function recovers(condition: Condition, value: number): boolean {
  return !compare[condition.operator](value, releaseOf(condition))
}

/** The threshold that holds while the alert fires. */
export function releaseOf({ metric, operator, threshold }: Condition): number {
  if (metricFacts[metric].scale !== 'percent') return threshold
  const margin = Math.max(threshold / 20, Math.min(0.5, threshold / 2))
  if (operator === 'gt' || operator === 'gte') return threshold - margin
  // Below a hundred there must be room above it.
  return threshold < 100 ? Math.min(threshold + margin, (threshold + 100) / 2) : threshold + margin
}

const compare = {
  gt: (value: number, limit: number) => value > limit,
  gte: (value: number, limit: number) => value >= limit,
  lt: (value: number, limit: number) => value < limit,
  lte: (value: number, limit: number) => value <= limit,
  eq: (value: number, limit: number) => value === limit,
}
