import type { ContainerRun } from '../records/container.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import type { ContainerStop } from '../records/host-stops.ts'

/**
 * Why a container ended.
 *
 * - `unstartable`: the Engine could not start it
 * - `restarts`: its restart policy is about to start it again
 * - `verb`, `event`: it was stopped with this service, or on the host
 * - `hand`: its policy would have started it again unless someone had stopped it
 * - `signal`: a signal that stops use ended it
 * - `success`, `error`: by itself
 */
export type Ending =
  | 'unstartable'
  | 'restarts'
  | 'verb'
  | 'event'
  | 'hand'
  | 'signal'
  | 'success'
  | 'error'

/** What is known of a container that ended. */
export interface EndedContainer {
  exitCode: number | null
  /** Null if it is unknown. */
  run: ContainerRun | null
  /** The stop of this run, if one is known. */
  stop: ContainerStop | null
}

/** An Engine that starts begins its containers within this time. Milliseconds. */
const startingTime = 60_000
/** SIGKILL and SIGTERM. */
const stopCodes: readonly (number | null)[] = [137, 143]

/** Returns why a container that is `exited` ended. */
export function endingOf(container: EndedContainer, engine: EngineUptime | null): Ending {
  const { exitCode, run, stop } = container
  if (isAboutToStart(container, engine)) return 'restarts'
  if (run && run.startError !== null) return 'unstartable'
  if (stop) return stop.by === null ? 'event' : 'verb'
  if (run && alwaysRestarts(run)) return 'hand'
  if (run?.outOfMemory) return 'error'
  if (stopCodes.includes(exitCode)) return 'signal'
  return exitCode === 0 ? 'success' : 'error'
}

/** Returns whether a container ended because someone stopped it. */
export const isStop = (ending: Ending): boolean =>
  ending === 'verb' || ending === 'event' || ending === 'hand' || ending === 'signal'

/**
 * Returns whether the Engine started so recently that the container's policy still applies. A stop
 * lasts beyond the Engine's end under `unless-stopped`, but not under `always`.
 */
function isAboutToStart({ run, stop }: EndedContainer, engine: EngineUptime | null): boolean {
  if (!run || !alwaysRestarts(run) || !engine || engine.age >= startingTime) return false
  if (!stop) return true
  const endedBefore = Date.parse(run.finishedAt ?? '') < engine.startedAt
  return run.restartPolicy === 'always' && endedBefore
}

/**
 * Returns whether a container's policy starts it again however it ended. One under `on-failure`
 * that is `exited` has used up its retries.
 */
export const alwaysRestarts = ({ restartPolicy }: Pick<ContainerRun, 'restartPolicy'>): boolean =>
  restartPolicy === 'always' || restartPolicy === 'unless-stopped'
