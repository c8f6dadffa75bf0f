import type { AlertRule } from '../records/alert-rule.ts'
import { metricFacts } from './rule.ts'

type Condition = Pick<AlertRule, 'metric' | 'operator' | 'threshold'>

/** Returns whether a value meets the condition of a rule. */
export const breaches = ({ operator, threshold }: Condition, value: number): boolean =>
  compare[operator](value, threshold)

/**
 * Returns whether a value is far enough from the threshold to resolve the alert. Percentages need a
 * margin, usually a twentieth of the threshold, so that a value that wavers around it does not fire
 * and resolve repeatedly.
 */
export function recovers(condition: Condition, value: number): boolean {
  return !compare[condition.operator](value, releaseOf(condition))
}

/** Returns the threshold that applies while the alert fires. */
export function releaseOf({ metric, operator, threshold }: Condition): number {
  if (metricFacts[metric].scale !== 'percent') return threshold
  const margin = Math.max(threshold / 20, Math.min(0.5, threshold / 2))
  if (operator === 'gt' || operator === 'gte') return threshold - margin
  // Stays below 100, so that a percentage can reach it.
  return threshold < 100 ? Math.min(threshold + margin, (threshold + 100) / 2) : threshold + margin
}

const compare = {
  gt: (value: number, limit: number) => value > limit,
  gte: (value: number, limit: number) => value >= limit,
  lt: (value: number, limit: number) => value < limit,
  lte: (value: number, limit: number) => value <= limit,
  eq: (value: number, limit: number) => value === limit,
}
