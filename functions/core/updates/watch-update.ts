import type { HealthCheck } from '../records/container.ts'

/** A container of an updated service. */
export interface WatchedContainer {
  service: string
  state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead'
  /** Null without a health check. */
  health: string | null
  check: HealthCheck | null
  exitCode: number | null
  /** How often it was restarted since it was created. */
  restarts: number
  /** For how long it has been up, at most an hour; null unless it runs. Milliseconds. */
  upFor: number | null
  /** It does one task and ends. */
  isJob: boolean
  /** The Engine said what it does. */
  isRead: boolean
}

/** What is known of an update. */
export type WatchVerdict =
  | { kind: 'good' }
  | { kind: 'bad'; service: string; reason: string }
  /** That is not known yet. `othersWait`: no other update of the host begins meanwhile. */
  | { kind: 'open'; othersWait: boolean }

const second = 1000
const shortest = 60 * second
const longest = 15 * 60 * second
/** Restarts that show that an image is bad. */
const restartsMax = 2

const minute = 60 * second

/**
 * Returns how long containers are watched after an update. Milliseconds.
 *
 * @param minutes what the policy says; undefined: as long as the health checks need
 */
export function watchTime(
  containers: readonly Pick<WatchedContainer, 'check'>[],
  minutes: number | undefined,
): number {
  if (minutes !== undefined) return minutes * minute
  const needed = containers.map(({ check }) => (check ? untilJudged(check) : 0))
  return Math.min(Math.max(shortest, ...needed), longest)
}

/** Returns after what time a health check has judged a container at the latest. */
const untilJudged = ({ startPeriod, retries, interval, timeout }: HealthCheck) =>
  startPeriod + (retries + 1) * (interval + timeout)

/** More is not told of how long a container has been up. */
const upMax = 60 * 60 * second
/** The longest time for which a container may start before its image is bad or good. */
const longestStart = 24 * 60 * 60 * second

/**
 * Judges an update by the containers of its services. One that is still starting when the watch
 * ends is looked at again when its health check must have judged it: a slow start is not bad.
 *
 * @param passed milliseconds since the update
 * @param minutes as in `watchTime`
 */
export function judgeWatch(
  containers: readonly WatchedContainer[],
  passed: number,
  minutes: number | undefined,
): WatchVerdict {
  for (const container of containers) {
    const reason = whyBad(container)
    if (reason !== undefined) return { kind: 'bad', service: container.service, reason }
  }
  if (passed < watchTime(containers, minutes)) return { kind: 'open', othersWait: true }
  const open = containers.filter((one) => passed < mayTake(one, passed))
  if (open.length === 0) return { kind: 'good' }
  // Neither one that takes very long nor what may be a job stops the others.
  return { kind: 'open', othersWait: passed < longest && !open.every(isRunningJob) }
}

/** Returns until when a container may not be judged, in milliseconds since the update. */
function mayTake({ health, check, upFor, isJob, isRead, state }: WatchedContainer, passed: number) {
  if (!isRead || isRunningJob({ isJob, state })) return longest
  if (health !== 'starting' || !check) return 0
  // One that was started again, such as with its host, has its whole time again.
  const startedAt = upFor === null || upFor >= upMax ? 0 : Math.max(0, passed - upFor)
  return Math.min(startedAt + untilJudged(check), longestStart)
}

const isRunningJob = ({ isJob, state }: Pick<WatchedContainer, 'isJob' | 'state'>) =>
  isJob && state === 'running'

function whyBad({ state, health, exitCode, restarts }: WatchedContainer): string | undefined {
  if (health === 'unhealthy') return 'its health check fails'
  if (restarts >= restartsMax) return `it was restarted ${restarts} times`
  if ((state === 'exited' || state === 'dead') && exitCode !== 0) {
    return exitCode === null ? 'it ended' : `it ended with ${exitCode}`
  }
  return undefined
}
