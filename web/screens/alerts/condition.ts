import { type Metric, metricFacts, type Operator } from '../../data/alert-metrics.ts'
import type { Alert } from '../../data/alerts.ts'
import { lengthOf } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'

/** Returns a value of a metric with its unit. */
export const figureOf = (metric: Metric, value: number): string =>
  metricFacts[metric].scale === 'percent' ? t.hosts.percent(Math.round(value)) : String(value)

interface Condition {
  metric: Metric
  operator: Operator
  threshold: number
  for_seconds: number
}

/** Returns when a rule fires: "CPU of a container > 90 % for 5 min". */
export function conditionOf({ metric, operator, threshold, for_seconds }: Condition): string {
  const name = t.alerts.metrics[metric]
  const compared =
    metricFacts[metric].scale === 'state'
      ? name
      : `${name} ${t.alerts.operators[operator]} ${figureOf(metric, threshold)}`
  return for_seconds === 0 ? compared : t.alerts.lasting(compared, lengthOf(for_seconds * 1000))
}

/** Returns a measured value as text: "CPU at 97 %". */
export const measuredText = ({
  metric,
  value,
}: {
  metric: Metric
  value: number | null
}): string => (value === null ? t.alerts.metrics[metric] : t.home.metric[metric](Math.round(value)))

/** Returns the path of the page that shows an alert's subject. */
export function pageOf({ kind, id }: Alert['subject']): string {
  if (kind === 'host') return `/hosts/${id}`
  if (kind === 'stack') return `/stacks/${id}`
  return kind === 'backup_job' ? `/backups/runs?job=${id}` : `/containers?filter=${id}`
}
