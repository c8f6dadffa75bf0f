import { requirePermissions } from '../access/grant.ts'
import { requireRun } from '../backups/jobs/run-rights.ts'
import type { StartedRun } from '../backups/runs/start-backup.ts'
import { conflict, leaseHeld } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Caller } from '../records/account.ts'
import { isWhole } from '../records/backup-run.ts'
import type { Deployment } from '../records/deployment.ts'
import type { HeldBackImage } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdatedImage, UpdateUndo } from '../records/stack-update.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { whyNoUndo } from '../updates/undo-offer.ts'
import { withHeld } from './record-outcome.ts'
import { startRestoreBefore } from './restore-before.ts'
import { pause } from './take-back.ts'
import { undoAuthorOf } from './undo-author.ts'
import type { ApplyPorts } from './update-ports.ts'

/** What an undo does besides a deploy. */
const needed = ['backups:manage', 'stacks:create', 'stacks:update', 'stacks:secrets'] as const

/**
 * Takes the last update of a stack back with its data, as the caller. No update applies its images
 * again. If the process dies, another one goes on with the rights of the caller.
 *
 * @throws 403 if the caller may not restore the stack, 409 if the update can no longer be undone or
 *   is being taken back, and what `startRestore` throws; nothing has changed then
 */
export async function undoUpdate(
  stack: Stored<StackRecord>,
  caller: Caller,
  ports: ApplyPorts,
): Promise<StartedRun> {
  requirePermissions(caller, needed, 'undoing an update: what it does')
  const { undo, updated, images } = await requireUndo(stack, caller, ports)
  const restoreId = ports.random.id()
  const before = await claim(stack, { undo, updated, images, restoreId }, caller, ports)
  try {
    const task = { checkpoint: undo, restorer: caller, restoreId }
    return await startRestoreBefore(stack, updated, task, ports)
  } catch (error) {
    await release(before, restoreId, ports)
    throw error
  }
}

interface Undoing {
  undo: UpdateUndo
  /** The deployment of the update. */
  updated: Deployment
  images: readonly UpdatedImage[]
}

/**
 * @throws 403 if the caller may not read the backup, 409 with the way out if the last update of a
 *   stack cannot be undone
 */
async function requireUndo(
  stack: StackRecord,
  caller: Caller,
  ports: ApplyPorts,
): Promise<Undoing> {
  const refuse = (why: string) => conflict(`stack ${stack.id}: ${why}`)
  refuseTaken(stack)
  const why = whyNoUndo(stack, ports.clock.now())
  const { undo } = stack
  if (why !== undefined || !undo) throw refuse(why ?? 'nothing is to be undone')
  const restoring = `cli backups restore ${undo.runId} --stack ${stack.id} --overwrite`
  if (!(await isClockTrusted(ports))) {
    throw refuse(`the clock jumped, so that the time is not known; to restore it: ${restoring}`)
  }
  const run = await ports.backupRuns.find(undo.runId)
  const images = `to go back to the images from before: cli stacks rollback ${stack.id} previous`
  if (!run || !isWhole(run)) {
    throw refuse(`backup run ${undo.runId} from before the update was removed; ${images}`)
  }
  requireRun(run, caller)
  const updated = await ports.deployments.find(stack.id, undo.deploymentId)
  const update = updated?.options.update
  if (!updated || !update) {
    throw refuse(`the images from before are no longer recorded; to restore it: ${restoring}`)
  }
  if (updated.status !== 'running') return { undo, updated, images: update.images }
  throw leaseHeld(`stack ${stack.id}: the update is being deployed, try again`)
}

/** @throws 409 if an update is being taken back */
function refuseTaken({ id, openUpdate, update }: StackRecord): void {
  const isTaken =
    openUpdate !== undefined &&
    update?.deploymentId === openUpdate.deploymentId &&
    update.rollback?.state === 'due'
  if (!isTaken) return
  const { restoreId } = openUpdate
  const run = restoreId === undefined ? '' : `, by backup run ${restoreId}`
  throw leaseHeld(`stack ${id}: the update is being taken back${run}`)
}

/**
 * Records that an update is taken back, so that only one request does so and any process goes on.
 * Returns the record before.
 */
async function claim(
  stack: Stored<StackRecord>,
  { undo, updated, images, restoreId }: Undoing & { restoreId: string },
  caller: Caller,
  ports: ApplyPorts,
): Promise<StackRecord> {
  const { username } = caller.account
  const { deploymentId, runId } = undo
  const at = ports.clock.now()
  const reason = `${username} undid it`
  const held = images.map((image) => heldImage(image, { reason, at, deploymentId }))
  let before: StackRecord = stack
  const change = (now: StackRecord): Partial<StackRecord> => {
    before = now
    refuseTaken(now)
    if (now.openUpdate && now.openUpdate.deploymentId !== deploymentId) {
      throw leaseHeld(`stack ${stack.id}: another update of it is in progress`)
    }
    const isSame = now.undo?.deploymentId === deploymentId && now.undo.replacedBy === undefined
    if (now.createdAt !== stack.createdAt || !isSame) {
      throw conflict(`stack ${stack.id}: it was changed meanwhile, look at it and try again`)
    }
    return {
      openUpdate: {
        deploymentId,
        services: updated.affected ?? updated.options.services,
        applied: true,
        checkpoint: { runId, by: undoAuthorOf(caller) },
        restoreId,
      },
      update: {
        deploymentId,
        outcome: 'bad',
        reason,
        at,
        undoneBy: username,
        rollback: { state: 'due', attempts: 1, nextAt: at + pause, error: null },
      },
      heldBack: withHeld(now.heldBack ?? [], held),
    }
  }
  await changeStack(stack.id, change, ports, stack)
  return before
}

const heldImage = (
  { name, digest, service, before }: UpdatedImage,
  known: Pick<HeldBackImage, 'reason' | 'at' | 'deploymentId'>,
): HeldBackImage => ({ name, digest, service, before, log: [], ...known })

/** Puts the record back after an undo that could not begin. */
async function release(before: StackRecord, restoreId: string, ports: ApplyPorts): Promise<void> {
  const { openUpdate, update, heldBack = [] } = before
  await changeStack(
    before.id,
    (now) => (now.openUpdate?.restoreId === restoreId ? { openUpdate, update, heldBack } : {}),
    ports,
  )
}
