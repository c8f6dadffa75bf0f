import type { BackupRun } from '../../data/backups.ts'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states = {
  running: 'working',
  succeeded: 'running',
  failed: 'failed',
  interrupted: 'failed',
} as const

/** How a run ended, or that it is under way. */
export const RunState = ({ of }: { of: BackupRun['status'] }) => (
  <State of={states[of]} word={t.backups.statuses[of]} />
)
