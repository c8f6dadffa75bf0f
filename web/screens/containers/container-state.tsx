import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { type StatedContainer, stateOf, stateWord } from './state-word.ts'

/** The state of a container in one word, with its health and how it ended. */
export const ContainerState = ({ of }: { of: StatedContainer }) => (
  <State of={stateOf(of)} word={t.containerState[stateWord(of)]} />
)
