import type { components } from '../../data/api.types.ts'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

type Status = components['schemas']['Stack']['status']

const states: Record<Status, StateName> = {
  not_deployed: 'stopped',
  deploying: 'working',
  starting: 'working',
  running: 'running',
  partial: 'attention',
  paused: 'attention',
  stopped: 'stopped',
  failed: 'failed',
  unknown: 'unknown',
}

/** The state of a stack, in the word of the stack. */
export const StackState = ({ of }: { of: Status }) => (
  <State of={states[of]} word={t.stackStatus[of]} />
)
