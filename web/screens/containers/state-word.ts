import type { Container, ContainerDetails } from '../../data/containers.ts'
import type { StateName } from '../../parts/state.tsx'
import type { Texts } from '../../text/en.ts'

type Word = keyof Texts['containerState']

/** The fields that determine a container's state. Lists have the exit code only in `status`. */
export type StatedContainer = Pick<Container, 'state' | 'health' | 'status'> &
  Partial<Pick<ContainerDetails, 'exit_code'>>

const shapes: Record<Word, StateName> = {
  created: 'stopped',
  running: 'running',
  starting: 'working',
  unhealthy: 'attention',
  paused: 'attention',
  restarting: 'attention',
  removing: 'working',
  exited: 'stopped',
  failed: 'failed',
  dead: 'failed',
}

/** Exit codes of a container that was stopped: success, SIGINT, SIGKILL and SIGTERM. */
const stopped = [0, 130, 137, 143]

/** Returns the word for a container's state, which includes its health and exit code. */
export function stateWord({ state, health, status, exit_code }: StatedContainer): Word {
  if (state === 'running' && (health === 'starting' || health === 'unhealthy')) return health
  if (state !== 'exited') return state
  const code = exit_code ?? exitCodeIn(status) ?? 0
  return stopped.includes(code) ? 'exited' : 'failed'
}

/** Returns the exit code in the words of the Engine: "Exited (137) 3 minutes ago". */
export function exitCodeIn(status: string): number | undefined {
  const [, code] = /^(?:Exited|Restarting) \((\d+)\)/.exec(status) ?? []
  return code === undefined ? undefined : Number(code)
}

export const stateOf = (container: StatedContainer): StateName => shapes[stateWord(container)]
