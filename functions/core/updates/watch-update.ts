import type { HealthCheck } from '../records/container.ts'

/** A container of an updated service. */
export interface WatchedContainer {
  service: string
  state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead'
  /** Null without a health check. */
  health: 'starting' | 'healthy' | 'unhealthy' | null
  check: HealthCheck | null
  exitCode: number | null
  /** How often it was restarted since the update. */
  restarts: number
}

/** What is known of an update. */
export type WatchVerdict =
  | { kind: 'good' }
  | { kind: 'bad'; service: string; reason: string }
  /** It is looked at again then: milliseconds after the update. */
  | { kind: 'open'; until: number }

const second = 1000
const shortest = 60 * second
const longest = 15 * 60 * second
/** Restarts after which a container does not just begin slowly. */
const restartsMax = 2

/** Returns how long containers are watched after an update. Milliseconds. */
export function watchTime(containers: readonly Pick<WatchedContainer, 'check'>[]): number {
  const needed = containers.map(({ check }) => (check ? untilJudged(check) : 0))
  return Math.min(Math.max(shortest, ...needed), longest)
}

/** Returns after what time a health check has judged a container at the latest. */
const untilJudged = ({ startPeriod, retries, interval, timeout }: HealthCheck) =>
  startPeriod + (retries + 1) * (interval + timeout)

/**
 * Judges an update by the containers of its services. One that is still starting when the watch
 * ends is looked at again when its health check must have judged it: a slow start is not bad.
 *
 * @param passed milliseconds since the update
 */
export function judgeWatch(containers: readonly WatchedContainer[], passed: number): WatchVerdict {
  for (const container of containers) {
    const reason = whyBad(container)
    if (reason !== undefined) return { kind: 'bad', service: container.service, reason }
  }
  const end = watchTime(containers)
  if (passed < end) return { kind: 'open', until: end }
  const starting = containers.flatMap(({ health, check }) =>
    health === 'starting' && check ? [untilJudged(check)] : [],
  )
  const last = Math.max(0, ...starting)
  return passed < last ? { kind: 'open', until: last } : { kind: 'good' }
}

function whyBad({ state, health, exitCode, restarts }: WatchedContainer): string | undefined {
  if (health === 'unhealthy') return 'its health check fails'
  if (restarts >= restartsMax) return `it was restarted ${restarts} times`
  if ((state === 'exited' || state === 'dead') && exitCode !== 0) {
    return exitCode === null ? 'it ended' : `it ended with ${exitCode}`
  }
  return undefined
}
