import type { Deployment } from '../records/deployment.ts'
import { bringsUp, rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdateUndo } from '../records/stack-update.ts'

type Updated = Pick<StackRecord, 'openUpdate' | 'undo' | 'update'>
type Started = Updated & Pick<StackRecord, 'unreported'>

/**
 * Returns the changes of the stack's record about its updates when a deployment begins. An update
 * is in progress from here on, and is reported; one that takes the stack down ends it.
 */
export function updateOnStart(stack: Started, deployment: Deployment): Partial<StackRecord> {
  const { id, affected, options } = deployment
  const { update, services } = options
  const { openUpdate, unreported = [] } = stack
  if (!update) {
    const isTakenDown = rulesOf(deployment).takesDown !== null
    return isTakenDown ? { ...endUpdate(stack), ...replaceUndo(stack, id) } : {}
  }
  if (update.undoes !== undefined) {
    const isOpen = openUpdate?.deploymentId === update.undoes
    return isOpen ? { openUpdate: { ...openUpdate, rollbackId: id } } : {}
  }
  // One that is resumed may have changed containers before.
  if (openUpdate?.deploymentId === id) return {}
  const { checkpoint } = update
  return {
    openUpdate: {
      deploymentId: id,
      services: affected ?? services,
      ...(checkpoint && { checkpoint }),
    },
    checkpoint: undefined,
    ...(update.row && { unreported: [...unreported, update.row] }),
  }
}

/**
 * Returns the changes of the stack's record about its updates when a deployment begins to change
 * containers. A deploy by a person of services that are updated ends the update: it stays as the
 * person made it.
 */
export function updateOnApply(stack: Updated, deployment: Deployment): Partial<StackRecord> {
  const { id, kind, affected, options } = deployment
  const { openUpdate } = stack
  if (openUpdate?.deploymentId === id) {
    return { openUpdate: { ...openUpdate, applied: true }, ...undoOf(stack, deployment) }
  }
  if (options.update || !bringsUp(kind)) return {}
  const isChanged = (service: string) => affected?.includes(service) ?? true
  const isEnded = !openUpdate || openUpdate.services.some(isChanged)
  return { ...(isEnded ? endUpdate(stack) : {}), ...replaceUndo(stack, id) }
}

/**
 * Returns what can be undone while an update changes containers: only with a backup from before.
 */
function undoOf(stack: Updated, deployment: Deployment): Pick<StackRecord, 'undo'> {
  const { id, startedAt: at, contentRevision, options } = deployment
  const checkpoint = options.update?.checkpoint
  if (!checkpoint) return replaceUndo(stack, id)
  return { undo: { deploymentId: id, runId: checkpoint.runId, at, contentRevision } }
}

/** Records that a deployment changed the stack since the update that can be undone. */
function replaceUndo({ undo }: Updated, replacedBy: string): { undo?: UpdateUndo } {
  return undo && undo.replacedBy === undefined ? { undo: { ...undo, replacedBy } } : {}
}

/** Ends an update that someone replaced, and a rollback that is due or failed. */
function endUpdate({ openUpdate, update }: Updated): Partial<StackRecord> {
  const rollback = update?.rollback
  const isLeft = rollback?.state === 'due' || rollback?.state === 'failed'
  const ended = openUpdate && { openUpdate: undefined }
  if (!update || !rollback || !isLeft) return { ...ended }
  return { ...ended, update: { ...update, rollback: { ...rollback, state: 'replaced' } } }
}
