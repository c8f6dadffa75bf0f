import type { Severity as SeverityName } from '../../data/alert-metrics.ts'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states: Record<SeverityName, StateName> = {
  info: 'unknown',
  warning: 'attention',
  critical: 'failed',
}

/** How severe an alert is. */
export const Severity = ({ of }: { of: SeverityName }) => (
  <State of={states[of]} word={t.alerts.severities[of]} />
)
