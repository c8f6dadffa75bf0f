import type { UpgradeJournal, UpgradeOutcome } from '../records/upgrade-journal.ts'

/** What the Engine shows of a container of an upgrade. */
export interface SeenContainer {
  name: string
  isRunning: boolean
  /** The name of its restart policy; `no` if it has none. */
  restartPolicy: string
}

export interface SeenUpgrade {
  /** Undefined if it was removed. */
  old: SeenContainer | undefined
  /** The container that this upgrade created. `problem` says why it ended, if it ever ran. */
  new: (SeenContainer & { problem: string | undefined }) | undefined
  /** A container that belongs to neither has the name of the service. */
  isNameTaken: boolean
}

/** What this process of the helper has found out about one container since it runs. */
export interface Watched {
  /** It ran before, while this process watched. */
  hasRun: boolean
  /** Milliseconds since it was first seen to run, by a clock that never jumps. */
  waited: number
  /** Its own health check succeeds. */
  isHealthy: boolean
}

export type UpgradeStep =
  | { kind: 'rename_old' | 'restore_name'; name: string }
  | { kind: 'hold_old' | 'stop_old' | 'create_new' | 'start_new' | 'wait' }
  | { kind: 'release_new' | 'stop_new' | 'remove_new' | 'release_old' | 'start_old' }
  /** The old container is to run again. */
  | { kind: 'turn_back'; error: string }
  | { kind: 'end'; outcome: UpgradeOutcome; error: string | null }

/** Milliseconds for a container to become healthy. */
export const healthyWithin = 60_000

/** The name of the old container while it is kept. No other upgrade uses it. */
export const nameAside = ({ id, from }: Pick<UpgradeJournal, 'id' | 'from'>): string =>
  `${from.name}_before_${id.replaceAll('-', '').slice(-12)}`

/**
 * Returns the next step of the helper. Each step is decided from what is seen alone, so that a
 * helper that was killed goes on where it was. Until the new container is healthy, neither has a
 * restart policy: a restart of the Engine starts only the helper.
 *
 * @param watched the container that is to run: the new one, or the old one on the way back
 */
export function nextStep(
  journal: UpgradeJournal,
  seen: SeenUpgrade,
  watched: Watched,
): UpgradeStep {
  if (journal.outcome === 'not_started') return stepOfNotStarted(journal, seen, watched)
  if (journal.outcome !== 'open') return end(journal.outcome, journal.error)
  return journal.direction === 'forward'
    ? stepForward(journal, seen, watched)
    : stepBack(journal, seen, watched)
}

/**
 * The service may have given up its start without seeing that the helper had begun, because the
 * Engine had ended just then. Nothing but the helper may run after that.
 */
function stepOfNotStarted(
  journal: UpgradeJournal,
  seen: SeenUpgrade,
  watched: Watched,
): UpgradeStep {
  const { old } = seen
  const { name, restartPolicy } = journal.from
  const isAsBefore =
    old?.name === name && old.restartPolicy === restartPolicy.Name && old.isRunning && !seen.new
  const step = old && !isAsBefore ? stepBack(journal, seen, watched) : undefined
  return step && step.kind !== 'end' ? step : end('not_started', journal.error)
}

function stepForward(
  journal: UpgradeJournal,
  { old, new: next, isNameTaken }: SeenUpgrade,
  watched: Watched,
): UpgradeStep {
  const { name } = journal.from
  if (next) return old ? stepOfNew(journal, next, watched) : stepWithoutOld(journal, next, watched)
  if (!old) return end('stuck', `container ${name} was removed before the new one was created`)
  const aside = nameAside(journal)
  if (old.name !== aside) return { kind: 'rename_old', name: aside }
  if (isNameTaken) return turnBack(`another container took the name ${name}`)
  if (old.restartPolicy !== 'no') return { kind: 'hold_old' }
  return old.isRunning ? { kind: 'stop_old' } : { kind: 'create_new' }
}

function stepOfNew(
  { from: { restartPolicy } }: UpgradeJournal,
  next: NonNullable<SeenUpgrade['new']>,
  { hasRun, waited, isHealthy }: Watched,
): UpgradeStep {
  // Only a healthy one got its policy.
  if (next.restartPolicy !== 'no') return end('upgraded', null)
  // One that ended before this process watched it was killed together with the helper.
  if (!next.isRunning && !hasRun) return { kind: 'start_new' }
  if (!next.isRunning) return turnBack(`the new container ended: ${next.problem ?? 'no reason'}`)
  if (isHealthy) {
    return restartPolicy.Name === 'no' ? end('upgraded', null) : { kind: 'release_new' }
  }
  if (waited < healthyWithin) return { kind: 'wait' }
  return turnBack(`the new container was not healthy within ${healthyWithin / 1000} s`)
}

/** There is no way back, so the new container stays whatever its health is. */
function stepWithoutOld(
  journal: UpgradeJournal,
  next: NonNullable<SeenUpgrade['new']>,
  watched: Watched,
): UpgradeStep {
  const step = stepOfNew(journal, next, watched)
  if (step.kind !== 'turn_back') return step
  return end('stuck', `${step.error}, and the old one was removed`)
}

function stepBack(
  journal: UpgradeJournal,
  { old, new: next, isNameTaken }: SeenUpgrade,
  { waited, isHealthy }: Watched,
): UpgradeStep {
  const { name, restartPolicy } = journal.from
  if (!old) return end('stuck', `${journal.error}; the old container was removed`)
  if (next) return next.isRunning ? { kind: 'stop_new' } : { kind: 'remove_new' }
  if (old.name !== name && !isNameTaken) return { kind: 'restore_name', name }
  if (old.restartPolicy !== restartPolicy.Name) return { kind: 'release_old' }
  const error = old.name === name ? journal.error : `${journal.error}; it is now ${old.name}`
  if (old.isRunning && isHealthy) return end('taken_back', error)
  if (waited >= healthyWithin) return end('stuck', `${error}; the old container is not healthy`)
  return old.isRunning ? { kind: 'wait' } : { kind: 'start_old' }
}

/** How often a step is tried, and how often on the way back. There is nothing else to try then. */
const tries = { forward: 3, back: 60 }

/** Returns what follows a step that failed this many times in a row. */
export function stepAfterFailure(
  { direction, error }: UpgradeJournal,
  failures: number,
  reason: string,
): UpgradeStep {
  if (failures < tries[direction]) return { kind: 'wait' }
  return direction === 'forward' ? turnBack(reason) : end('stuck', `${error}; ${reason}`)
}

const turnBack = (error: string): UpgradeStep => ({ kind: 'turn_back', error })

const end = (outcome: UpgradeOutcome, error: string | null): UpgradeStep => ({
  kind: 'end',
  outcome,
  error,
})
