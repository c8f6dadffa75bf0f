import { conflict } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import { journalOf } from './journal.ts'
import { placeName } from './places.ts'
import type { RestorePlan } from './restore-plan.ts'

/**
 * Rejects places where another restore is in progress, or has yet to be undone because its host or
 * process was cut off.
 *
 * @throws 409 for such a place
 */
export async function refuseTaken(
  { hostId, items }: RestorePlan,
  { backupRuns }: Needs<'backupRuns'>,
) {
  const restoredPlaces = new Set(items.map(({ place }) => placeName(place)))
  for (const run of await backupRuns.listUnfinished()) {
    const { phase, places = [], moved } = journalOf(run)
    if (run.kind !== 'restore' || run.hostId !== hostId || phase === 'deploying') continue
    const inUse = [...moved.map(({ place }) => place), ...(run.status === 'running' ? places : [])]
    const taken = inUse.map(placeName).find((name) => restoredPlaces.has(name))
    if (taken === undefined) continue
    throw conflict(
      `${taken}: another restore of it is running or being undone, try again in a moment`,
      { reason: 'lease-held' },
    )
  }
}
