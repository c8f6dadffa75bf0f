import type { ContainerRun } from '../records/container.ts'
import type { SeenRestarts } from '../records/host-watch.ts'

/** The shortest time that a restarted container must be up to count as up. Seconds. */
const settlingTimeMin = 10
/** A container that runs for longer than this before it ends is in no crash loop. Seconds. */
const loopRunMax = 300
/** The longest time that a restarted container must be up to count as up. Seconds. */
export const settlingTimeMax = 2 * loopRunMax
/** The number of runs that tell how long a crash loop takes. Older ones had another cause. */
const recentRuns = 3

/** What tells how often a container was restarted by its policy. */
export interface RestartEvidence {
  createdAt: string
  upSeconds: number | null
  /** Null if it is unknown. */
  run: Pick<ContainerRun, 'restarts' | 'startedAt' | 'finishedAt'> | null
  /** What samples of the host have shown. */
  seen: SeenRestarts | undefined
  /** Whether the Engine's events show that it was restarted. */
  isSeenRestarted: boolean
}

/**
 * Returns for how many seconds a running container must be up to count as up; 0 unless its policy
 * restarted it. A container that is restarted again and again must be up for twice as long as its
 * longest recent run. So a crash loop is one at every moment, however long a slow host or a slow
 * program needs until it fails.
 *
 * Times of the Engine are only compared with each other, because its clock may differ from ours.
 *
 * @param now milliseconds since the epoch
 */
export function settlingTime(evidence: RestartEvidence, now: number): number {
  const { run, seen, isSeenRestarted } = evidence
  const isRestarted = run ? run.restarts > 0 : isSeenRestarted || (seen?.count ?? 0) > 0
  if (!isRestarted) return 0
  const runs = [meanRun(evidence), ...lastRuns(evidence, now)]
  const longest = Math.max(0, ...runs.filter((seconds) => seconds <= loopRunMax))
  return Math.max(settlingTimeMin, 2 * longest)
}

/**
 * Returns the mean duration of all runs since the container was created, in seconds. It is exact
 * for a new container, which samples have not shown yet, and long for one that failed late.
 */
function meanRun({ createdAt, run }: RestartEvidence): number {
  const lived = secondsBetween(createdAt, run?.finishedAt)
  return run && run.restarts > 0 ? lived / run.restarts : 0
}

/** Returns the durations of the recent runs that are known, in seconds. */
function lastRuns({ run, upSeconds, seen }: RestartEvidence, now: number): number[] {
  // The Engine waits for up to a minute between short runs.
  const pause = run ? secondsBetween(run.finishedAt, run.startedAt) : 0
  // The Engine counts from 0 again when a user starts the container.
  const isUnseen = run !== null && run.restarts !== (seen?.count ?? 0)
  const unseen = isUnseen ? [now - ((upSeconds ?? 0) + pause) * 1000] : []
  const cycles = cyclesOf([...(seen?.times ?? []), ...unseen])
  return cycles.slice(-recentRuns).map((seconds) => seconds - pause)
}

/** Returns the seconds from each restart to the next; their mean for restarts of the same time. */
function cyclesOf(times: readonly number[]): number[] {
  const distinct = [...new Set(times)]
  return distinct.slice(1).map((at, index) => {
    const number = times.filter((one) => one === at).length
    return (at - (distinct[index] ?? at)) / 1000 / number
  })
}

/** Returns the seconds from one instant to a later one; 0 if one is unknown or it is not later. */
function secondsBetween(one: string | null | undefined, other: string | null | undefined): number {
  const milliseconds = Date.parse(other ?? '') - Date.parse(one ?? '')
  return milliseconds > 0 ? milliseconds / 1000 : 0
}
