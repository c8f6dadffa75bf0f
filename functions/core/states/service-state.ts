import type { ContainerState } from '../../compose/snapshot.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import type { ServiceState } from '../records/stack-state.ts'
import { type EndedContainer, endingOf, isStop } from './ending.ts'

/** A container of a service. */
export interface ContainerFacts extends EndedContainer {
  state: ContainerState
  health: string | null
  /** Null unless it runs. */
  upSeconds: number | null
  /**
   * For how many seconds it must be up to count as up after a restart by its policy; 0 if there was
   * none.
   */
  settlingTime: number
}

/** Everything that decides on the state of a service. */
export interface ServiceFacts {
  /** The number of containers that it should have. */
  expected: number
  /** It does one task and ends. */
  isJob: boolean
  /** Those that it should have and that exist, at most `expected`. */
  containers: readonly ContainerFacts[]
  /** A deployment of it runs. */
  isDeploying: boolean
  /** The last operation on it was a stop. */
  isStopped: boolean
  /** Null if it is unknown. */
  engine: EngineUptime | null
}

/** Returns the state of a service: that of the first rule that fits. */
export function serviceState(facts: ServiceFacts): ServiceState {
  if (facts.expected === 0) return 'inactive'
  const state = stateOf(facts)
  const isUp = state === 'running' || state === 'completed'
  return facts.isDeploying && !isUp ? 'starting' : state
}

function stateOf({ expected, isJob, containers, isStopped, engine }: ServiceFacts): ServiceState {
  if (containers.length === 0) return isStopped ? 'stopped' : 'failed'
  const phases = new Set(containers.map((container) => phaseOf(container, engine)))
  const all = (...wanted: Phase[]) => [...phases].every((phase) => wanted.includes(phase))
  if (phases.has('failed')) return 'failed'
  if (phases.has('restarting')) return 'restarting'
  if (containers.length < expected) return 'missing'
  if (all('stopped')) return 'stopped'
  if (all('paused')) return 'paused'
  if (isJob && all('done', 'stopped') && containers.every(isSuccess)) return 'completed'
  if (phases.has('unhealthy')) return 'unhealthy'
  if (all('running')) return 'running'
  return all('running', 'starting') ? 'starting' : 'partial'
}

/** Returns whether a container ended with 0, which a job may also do after a stop. */
const isSuccess = ({ exitCode, run }: ContainerFacts) => exitCode === 0 && !run?.outOfMemory

/** The state of one container. `done`: it ended with 0 by itself. */
type Phase =
  | 'created'
  | 'starting'
  | 'running'
  | 'unhealthy'
  | 'paused'
  | 'restarting'
  | 'stopped'
  | 'done'
  | 'failed'

function phaseOf(container: ContainerFacts, engine: EngineUptime | null): Phase {
  switch (container.state) {
    case 'running':
      return runningPhase(container)
    case 'paused':
    case 'restarting':
      return container.state
    case 'exited':
      return endedPhase(container, engine)
    case 'created':
      return container.run && container.run.startError !== null ? 'failed' : 'created'
    default:
      return 'failed'
  }
}

function runningPhase(container: ContainerFacts): Phase {
  const { health } = container
  if (isRestarting(container)) return 'restarting'
  return health === 'starting' || health === 'unhealthy' ? health : 'running'
}

/** Returns whether a container's restart policy is starting it again, or did so recently. */
export function isRestarting({
  state,
  upSeconds,
  settlingTime,
}: Pick<ContainerFacts, 'state' | 'upSeconds' | 'settlingTime'>): boolean {
  if (state !== 'running') return state === 'restarting'
  return (upSeconds ?? settlingTime) < settlingTime
}

function endedPhase(container: ContainerFacts, engine: EngineUptime | null): Phase {
  const ending = endingOf(container, engine)
  if (ending === 'restarts') return 'restarting'
  if (ending === 'success') return 'done'
  return isStop(ending) ? 'stopped' : 'failed'
}
