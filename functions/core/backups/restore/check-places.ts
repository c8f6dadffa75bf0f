import { conflict, leaseHeld } from '../../errors.ts'
import { isOccupied, type PlaceWork, placeName } from '../../hosts/file-places.ts'
import type { Needs } from '../../ports/ports.ts'
import { journalOf } from './journal.ts'
import type { RestorePlan, RestoreRequest } from './restore-plan.ts'

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
    throw leaseHeld(
      `${taken}: another restore of it is running or being undone, try again in a moment`,
    )
  }
}

/**
 * Checks which places that were empty when planned have content now.
 *
 * @throws 409 if something exists already and `overwrite` is not set
 */
export async function findOccupied(
  plan: RestorePlan,
  { overwrite }: RestoreRequest,
  on: PlaceWork,
): Promise<void> {
  for (const item of plan.items) item.isOccupied ||= await isOccupied(item.place, on)
  if (overwrite) return
  const existing = [
    ...plan.stacks.filter((stack) => stack.existing).map(({ name }) => `stack ${name}`),
    ...plan.items.filter((item) => item.isOccupied).map(({ place }) => placeName(place)),
  ]
  if (existing.length === 0) return
  throw conflict(`${existing.join(', ')}: already exists; set \`overwrite\` to replace it`, {
    reason: 'exists',
  })
}
