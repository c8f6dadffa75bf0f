import type { components } from '../data/api.types.ts'
import { type StackWord, stackWord } from '../data/stack-words.ts'
import { t } from '../text/text.ts'
import { State, type StateName } from './state.tsx'

type Stack = components['schemas']['Stack']

const states: Record<StackWord, StateName> = {
  not_deployed: 'stopped',
  deploying: 'working',
  starting: 'working',
  running: 'running',
  partial: 'attention',
  unhealthy: 'attention',
  paused: 'attention',
  stopped: 'stopped',
  failed: 'failed',
  unknown: 'unknown',
}

/** The state of a stack, in the word of the stack. */
export const StackState = ({ of }: { of: Pick<Stack, 'status' | 'services'> }) => (
  <State of={states[stackWord(of)]} word={t.stackStatus[stackWord(of)]} />
)
