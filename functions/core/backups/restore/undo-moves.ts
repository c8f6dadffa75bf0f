import { copyPlace, emptyPlace, type PlaceWork } from '../../hosts/file-places.ts'
import type { MovedPlace } from '../../records/backup-run.ts'

/**
 * Puts the content that was copied aside back into its place. Calls `note` with the remaining moves
 * after each one, because a place that was put back is in use again and must not be touched twice.
 * Skips places whose copy is incomplete or gone.
 */
export async function undoMoves(
  moved: readonly MovedPlace[],
  on: PlaceWork,
  note: (left: MovedPlace[]) => Promise<unknown>,
): Promise<void> {
  const there = new Set((await on.engine.volumes()).map(({ name }) => name))
  for (const [index, { place, aside, isWhole }] of moved.entries()) {
    if (!isWhole || (aside !== null && !there.has(aside))) continue
    await emptyPlace(place, on)
    if (aside !== null) await copyPlace({ kind: 'volume', name: aside }, place, on)
    await note(moved.slice(index + 1))
  }
}
