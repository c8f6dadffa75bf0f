import { scopePorts } from '../access/scope.ts'
import type { Restorer } from '../backups/restore/restore-plan.ts'
import { startRestore } from '../backups/restore/start-restore.ts'
import type { StartedRun } from '../backups/runs/start-backup.ts'
import { conflict } from '../errors.ts'
import { isWhole } from '../records/backup-run.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdateCheckpoint } from '../records/stack-update.ts'
import { retagBefore } from './retag.ts'
import { restorerOf } from './undo-author.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Starts to take a bad update back with its data, by the rights that were recorded for it.
 *
 * @throws what `startRestoreBefore` throws
 */
export async function startRollbackWithData(
  stack: StackRecord,
  updated: Deployment,
  restoreId: string | undefined,
  ports: ApplyPorts,
): Promise<void> {
  const checkpoint = stack.openUpdate?.checkpoint
  if (!checkpoint || restoreId === undefined) return
  const restorer = restorerOf(checkpoint.by)
  const scoped = scopePorts(ports, restorer)
  await startRestoreBefore(stack, updated, { checkpoint, restorer, restoreId }, scoped)
}

/** What is restored, and by whom. */
interface UndoTask {
  checkpoint: Pick<UpdateCheckpoint, 'runId'>
  restorer: Restorer
  /** The ID of the run that restores it. */
  restoreId: string
}

/**
 * Starts a restore of the files, images and volumes that a stack had before an update. What was
 * written since stays on the host.
 *
 * @throws 409 if the backup is gone, and what `startRestore` throws; nothing has changed then
 */
export async function startRestoreBefore(
  stack: Pick<StackRecord, 'id' | 'images'>,
  { id: deploymentId, options, affected, files, environment, profiles }: Deployment,
  { checkpoint, restorer, restoreId }: UndoTask,
  ports: ApplyPorts,
): Promise<StartedRun> {
  const from = await ports.backupRuns.find(checkpoint.runId)
  const { update, services } = options
  if (!from || !isWhole(from) || !update) {
    throw conflict(
      `backup run ${checkpoint.runId}: the backup from before the update is gone; ` +
        `its images alone go back with: cli stacks rollback ${stack.id} previous`,
    )
  }
  const request = {
    sources: [{ kind: 'stack' as const, name: stack.id }],
    overwrite: true,
    undo: {
      services: affected ?? services,
      deploymentId,
      retag: retagBefore(update, stack),
      update,
      deployed: { files, environment, profiles },
    },
  }
  return startRestore(from, request, restorer, ports, restoreId)
}
