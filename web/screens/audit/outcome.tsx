import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { Outcome as Word } from './row-texts.ts'

const states = {
  begun: 'working',
  accepted: 'working',
  succeeded: 'running',
  failed: 'failed',
  refused: 'attention',
} as const

/** How an action ended. */
export const Outcome = ({ of }: { of: Word }) => (
  <State of={states[of]} word={of === 'accepted' ? t.audit.accepted : t.audit.outcomes[of]} />
)
