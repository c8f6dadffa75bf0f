import type { components } from '../../data/api.types.ts'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states = {
  begun: 'working',
  succeeded: 'running',
  failed: 'failed',
  refused: 'attention',
} as const

/** How an action ended. */
export const Outcome = ({ of }: { of: components['schemas']['AuditRow']['outcome'] }) => (
  <State of={states[of]} word={t.audit.outcomes[of]} />
)
