import type { z } from 'zod'
import { instant } from '../core/access/fields.ts'
import type { StackRecord } from '../core/records/stack.ts'
import type { UpdateRollback } from '../core/records/stack-update.ts'
import { undoUntil, whyNoUndo } from '../core/updates/undo-offer.ts'
import type { LastUpdate } from './last-update-schema.ts'

/** Returns how the last update of a stack went, in the API's form; null if none was judged. */
export function lastUpdateView(stack: StackRecord, now: number): z.input<typeof LastUpdate> | null {
  const { update } = stack
  if (!update) return null
  const { deploymentId, outcome, reason, at, undoneBy, rollback } = update
  return {
    deployment_id: deploymentId,
    outcome,
    reason,
    at: instant(at),
    undone_by: undoneBy ?? null,
    rollback: rollback ? rollbackView(rollback) : null,
    undo: undoView(stack, now),
  }
}

const rollbackView = ({ state, attempts, nextAt, error }: UpdateRollback) => ({
  state,
  attempts,
  next_at: state === 'due' && nextAt > 0 ? instant(nextAt) : null,
  error,
})

/** Returns null for an update that is being taken back: nothing is offered then. */
function undoView(stack: StackRecord, now: number): z.input<typeof LastUpdate>['undo'] {
  const { undo, update } = stack
  const isLast = undo !== undefined && undo.deploymentId === update?.deploymentId
  if (!isLast || update?.rollback?.state === 'due') return null
  if (whyNoUndo(stack, now) !== undefined) return null
  return { until: instant(undoUntil(undo)), run_id: undo.runId }
}
