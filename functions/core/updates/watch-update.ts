import { ownEntry } from '../../compose/lookup.ts'
import type { HealthCheck } from '../records/container.ts'
import type { FaultsBefore, ServiceFault } from '../records/stack-update.ts'

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
  /** A service was bad before the update, and still is. */
  | { kind: 'unknown'; reason: string }
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

/** What a judgement rests on besides the containers. */
export interface Watch {
  /** Milliseconds since the update. */
  passed: number
  /** As in `watchTime`. */
  minutes: number | undefined
  faultsBefore: FaultsBefore
}

/**
 * Judges an update by the containers of its services. One that is still starting when the watch
 * ends is looked at again when its health check must have judged it: a slow start is not bad. What
 * was as bad before the update does not count against it.
 */
export function judgeWatch(
  containers: readonly WatchedContainer[],
  { passed, minutes, faultsBefore }: Watch,
): WatchVerdict {
  const faulty = containers.flatMap(faultIn)
  const isNew = ({ service, fault }: Faulty) => isWorse(fault, ownEntry(faultsBefore, service))
  const bad = faulty.find(isNew)
  if (bad) return { kind: 'bad', service: bad.service, reason: bad.reason }
  if (passed < watchTime(containers, minutes)) return { kind: 'open', othersWait: true }
  const open = containers.filter((one) => passed < mayTake(one, passed))
  const [old] = faulty
  if (open.length === 0 && old) {
    return { kind: 'unknown', reason: `service ${old.service} was bad before too: ${old.reason}` }
  }
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

/** A service that is bad, and why. */
interface Faulty {
  service: string
  fault: ServiceFault
  reason: string
}

/** Returns what is wrong with a container that an update made. */
function faultIn(container: WatchedContainer): Faulty[] {
  const { service, state, health, exitCode, restarts } = container
  const ended = (reason: string): Faulty[] => [{ service, fault: 'ended', reason }]
  if (health === 'unhealthy') {
    return [{ service, fault: 'unhealthy', reason: 'its health check fails' }]
  }
  if (restarts >= restartsMax) return ended(`it was restarted ${restarts} times`)
  if ((state === 'exited' || state === 'dead') && exitCode !== 0) {
    return ended(exitCode === null ? 'it ended' : `it ended with ${exitCode}`)
  }
  return []
}

/** A service of which the health check failed before can still end only now. */
const isWorse = (fault: ServiceFault, before: ServiceFault | undefined): boolean =>
  before === undefined || (fault === 'ended' && before === 'unhealthy')

/** Returns what is wrong with services that run, before an update changes them. */
export function faultsOf(containers: readonly WatchedContainer[]): FaultsBefore {
  const faulty = containers.filter(wasNotLongAgo).flatMap(faultIn)
  const restarting = containers.filter(({ state }) => state === 'restarting')
  return Object.fromEntries([
    ...faulty.map(({ service, fault }) => [service, fault] as const),
    ...restarting.map(({ service }) => [service, 'ended'] as const),
  ])
}

/** Restarts count since a container was created: one that is up for a while since has settled. */
const wasNotLongAgo = ({ state, health, upFor }: WatchedContainer): boolean =>
  state !== 'running' || health === 'unhealthy' || (upFor ?? 0) < shortest
