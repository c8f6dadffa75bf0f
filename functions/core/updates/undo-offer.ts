import type { StackRecord } from '../records/stack.ts'
import type { UpdateUndo } from '../records/stack-update.ts'
import { isAhead } from '../time/clock-skew.ts'

/** Milliseconds in which an update can be undone. */
const offeredFor = 86_400_000

type Undoable = Pick<StackRecord, 'id' | 'contentRevision' | 'undo'>

/** Returns until when an update can be undone. Milliseconds since the epoch. */
export const undoUntil = ({ at }: UpdateUndo): number => at + offeredFor

/** Returns why the last update of a stack cannot be undone with its data, and the way out. */
export function whyNoUndo(stack: Undoable, now: number): string | undefined {
  const { id, contentRevision, undo } = stack
  const images = `to go back to the images from before: cli stacks rollback ${id} previous`
  if (!undo) return `no update with a checkpoint is to be undone; ${images}`
  const data = `to restore it: cli backups restore ${undo.runId} --stack ${id} --overwrite`
  if (undo.replacedBy !== undefined) {
    return `deployment ${undo.replacedBy} changed it since the update; the backup from before stays: ${data}`
  }
  if (contentRevision !== undo.contentRevision) {
    return `its files were changed since the update; the backup from before stays: ${data}`
  }
  // A time in the future was recorded by a wrong clock.
  if (now < undoUntil(undo) && !isAhead(undo.at, now)) return undefined
  return `the update began more than a day ago; the backup from before stays: ${data}`
}
