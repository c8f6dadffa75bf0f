import { type Metric, metricFacts, metrics, operatorsOf } from '../../data/alert-metrics.ts'
import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { type DraftProps, withMetric } from './rule-draft.ts'

/** What a rule measures, its threshold, and how long it has to last. */
export function ConditionFields({ draft, set }: DraftProps) {
  const { metric, operator, threshold, lasts } = draft
  const { scale } = metricFacts[metric]
  return (
    <>
      <Select
        label={t.alerts.when}
        value={metric}
        onChange={(value: Metric) => set(withMetric(value))}
        options={metrics.map((value) => ({ value, label: t.alerts.metrics[value] }))}
      />
      <div class="form-row">
        {scale !== 'state' && (
          <>
            <Select
              label={t.alerts.operator}
              value={operator}
              onChange={(value) => set({ operator: value })}
              options={operatorsOf(metric).map((value) => ({
                value,
                label: t.alerts.operatorWords[value],
              }))}
            />
            <TextField
              label={scale === 'percent' ? t.alerts.percent : t.alerts.count}
              type="number"
              value={threshold}
              onInput={(typed) => set({ threshold: typed })}
              required
            />
          </>
        )}
        <TextField
          label={t.alerts.seconds}
          type="number"
          value={lasts}
          onInput={(typed) => set({ lasts: typed })}
          required
        />
      </div>
    </>
  )
}
