import { conflict } from '../errors.ts'
import { refuseMoved } from '../images/decide-images.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { DeploymentRequest } from './request.ts'

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
    `stack ${stack.id}: files were edited on the host: ${files}; ${wayOutOf(request)}`,
    { reason: 'drift' },
  )
}

/** A deployment for a source has no request that could accept the edits, and no others to keep. */
function wayOutOf(request: DeploymentRequest): string {
  if (request.options.source) {
    return 'undo that there, or set the source of the stack again so that deployments overwrite them'
  }
  const overwrites = 'set `on_drift` to overwrite to replace them'
  if (rulesOf(request).revision === 'restored') return overwrites
  return `${overwrites}, or to import to keep them as a new revision`
}
