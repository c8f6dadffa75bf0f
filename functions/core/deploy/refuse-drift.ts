import { conflict } from '../errors.ts'
import { refuseMoved } from '../images/decide-images.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { PreparedDeployment } from './prepared.ts'

/**
 * Refuses a deployment that would overwrite files edited on the host, or use images that moved
 * there, unless the caller accepted them.
 *
 * @throws 409 that lists the files or images
 */
export function refuseDrift(prepared: PreparedDeployment): PreparedDeployment {
  const { drift, request } = prepared
  const { stack, options } = request
  refuseMoved(stack.id, prepared.moved, prepared.plan)
  if (drift.length === 0 || options.overwriteDrift) return prepared
  const files = drift.map(({ path, change }) => `${path} (${change})`).join(', ')
  throw conflict(
    `stack ${stack.id}: files were edited on the host: ${files}; ` +
      (rulesOf(request).revision === 'restored'
        ? 'set `on_drift` to overwrite to replace them'
        : 'set `on_drift` to overwrite to replace them, or to import to keep them as a new revision'),
    { reason: 'drift' },
  )
}
