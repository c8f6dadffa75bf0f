import type { ServiceState, StackStatus } from '../records/stack-state.ts'

/** The state of a service, and whether it is a job. */
export interface JudgedService {
  state: ServiceState
  isJob: boolean
}

/** Everything that decides on the status of a stack. */
export interface StackFacts {
  /** Whether its host responds. */
  isReachable: boolean
  /** Whether an operation on it runs. */
  isChanging: boolean
  /** It was never up, or it was taken down. */
  isDown: boolean
  /** Its last operation was a stop. */
  isStopped: boolean
  services: readonly JudgedService[]
}

/** Returns the status of a stack: that of the first rule that fits. */
export function stackStatus(facts: StackFacts): StackStatus {
  if (!facts.isReachable) return 'unknown'
  if (facts.isChanging) return 'deploying'
  if (facts.isDown) return 'not_deployed'
  const active = facts.services.filter(({ state }) => state !== 'inactive')
  return active.length === 0 && facts.isStopped ? 'stopped' : statusOf(active)
}

function statusOf(services: readonly JudgedService[]): StackStatus {
  const states = new Set(services.map(({ state }) => state))
  const all = (...wanted: ServiceState[]) => [...states].every((state) => wanted.includes(state))
  if (states.has('failed') || states.has('restarting')) return 'failed'
  if (isAtRest(services, 'stopped')) return 'stopped'
  if (isAtRest(services, 'paused')) return 'paused'
  if (all('running', 'completed')) return 'running'
  return all('running', 'completed', 'starting') ? 'starting' : 'partial'
}

/**
 * Returns whether every service that is no job is in a state, and there is at least one. In a stack
 * of jobs alone, jobs that have ended well do not count.
 */
function isAtRest(services: readonly JudgedService[], wanted: ServiceState): boolean {
  const lasting = services.filter(({ isJob }) => !isJob)
  const judged =
    lasting.length > 0 ? lasting : services.filter(({ state }) => state !== 'completed')
  return judged.length > 0 && judged.every(({ state }) => state === wanted)
}

/** How many services of a stack there should be, and how many of them are up. */
export interface ServiceCounts {
  total: number
  /** Those that are as they should be. */
  running: number
  /** Those that run and whose health check fails. */
  unhealthy: number
}

export function countServices(services: readonly JudgedService[]): ServiceCounts {
  const active = services.filter(({ state }) => state !== 'inactive')
  const good = active.filter(({ state }) => state === 'running' || state === 'completed')
  const unhealthy = active.filter(({ state }) => state === 'unhealthy')
  return { total: active.length, running: good.length, unhealthy: unhealthy.length }
}
