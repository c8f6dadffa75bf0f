import type { Deployment } from '../records/deployment.ts'
import { bringsUp, rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'

type Updated = Pick<StackRecord, 'openUpdate' | 'update'>

/**
 * Returns the changes of the stack's record about its updates when a deployment begins. An update
 * is in progress from here on; one that takes the stack down ends it.
 */
export function updateOnStart(stack: Updated, deployment: Deployment): Partial<StackRecord> {
  const { id, affected, options } = deployment
  const { update, services } = options
  const { openUpdate } = stack
  if (!update) return rulesOf(deployment).takesDown === null ? {} : endUpdate(stack)
  if (update.undoes !== undefined) {
    const isOpen = openUpdate?.deploymentId === update.undoes
    return isOpen ? { openUpdate: { ...openUpdate, rollbackId: id } } : {}
  }
  // One that is resumed may have changed containers before.
  if (openUpdate?.deploymentId === id) return {}
  return { openUpdate: { deploymentId: id, services: affected ?? services } }
}

/**
 * Returns the changes of the stack's record about its updates when a deployment begins to change
 * containers. A deploy by a person of services that are updated ends the update: it stays as the
 * person made it.
 */
export function updateOnApply(stack: Updated, deployment: Deployment): Partial<StackRecord> {
  const { id, kind, affected, options } = deployment
  const { openUpdate } = stack
  if (openUpdate?.deploymentId === id) return { openUpdate: { ...openUpdate, applied: true } }
  if (options.update || !bringsUp(kind)) return {}
  const isChanged = (service: string) => affected?.includes(service) ?? true
  return !openUpdate || openUpdate.services.some(isChanged) ? endUpdate(stack) : {}
}

/** Ends an update that someone replaced, and a rollback that is due or failed. */
function endUpdate({ openUpdate, update }: Updated): Partial<StackRecord> {
  const rollback = update?.rollback
  const isLeft = rollback?.state === 'due' || rollback?.state === 'failed'
  const ended = openUpdate && { openUpdate: undefined }
  if (!update || !rollback || !isLeft) return { ...ended }
  return { ...ended, update: { ...update, rollback: { ...rollback, state: 'replaced' } } }
}
