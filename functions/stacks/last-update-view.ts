import type { z } from 'zod'
import { instant } from '../core/access/fields.ts'
import type { StackUpdate, UpdateRollback } from '../core/records/stack-update.ts'
import type { LastUpdate } from './last-update-schema.ts'

/** Returns how the last update of a stack went, in the API's form; null if none was judged. */
export function lastUpdateView(update: StackUpdate | undefined): z.input<typeof LastUpdate> | null {
  if (!update) return null
  const { deploymentId, outcome, reason, at, rollback } = update
  return {
    deployment_id: deploymentId,
    outcome,
    reason,
    at: instant(at),
    rollback: rollback ? rollbackView(rollback) : null,
    undo: null,
  }
}

const rollbackView = ({ state, attempts, nextAt, error }: UpdateRollback) => ({
  state,
  attempts,
  next_at: state === 'due' && nextAt > 0 ? instant(nextAt) : null,
  error,
})
