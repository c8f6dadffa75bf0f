import type { BackupRun } from '../../data/backups.ts'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states = {
  running: 'working',
  succeeded: 'running',
  failed: 'failed',
  interrupted: 'failed',
} as const

interface RunStateProps {
  of: BackupRun['status']
  /** A run that succeeded with warnings asks for attention. */
  warnings?: readonly string[]
}

/** How a run ended, or that it is under way. */
export const RunState = ({ of, warnings = [] }: RunStateProps) =>
  of === 'succeeded' && warnings.length > 0 ? (
    <State of="attention" word={t.backups.withWarnings} />
  ) : (
    <State of={states[of]} word={t.backups.statuses[of]} />
  )
