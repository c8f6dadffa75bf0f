import { type BackupRun, noProgress } from '../../records/backup-run.ts'
import { leftOutWarnings } from '../contents/left-out-texts.ts'
import { type OpenBackup, openBackup } from '../contents/open-backup.ts'
import { refuseTaken } from './check-places.ts'
import { planRestore } from './plan-restore.ts'
import type { RestorePlan, RestoreRequest, Restorer } from './restore-plan.ts'
import type { RestorePorts } from './restore-work.ts'

/** A restore that was checked and planned. Nothing has changed yet. */
export interface PreparedRestore {
  backup: OpenBackup
  plan: RestorePlan
  run: BackupRun
}

/**
 * Opens the backup and plans the restore. Durable after it: nothing of the restore. The files of
 * stacks in the backup may have been stored, as texts that no record names yet.
 */
export async function prepareRestore(
  from: BackupRun,
  request: RestoreRequest,
  caller: Restorer,
  { id, signal }: { id: string; signal: AbortSignal },
  ports: RestorePorts,
): Promise<PreparedRestore> {
  const backup = await openBackup(from, ports, signal)
  try {
    const plan = await planRestore(from, request, caller, { backup, owner: id, signal }, ports)
    await refuseTaken(plan, ports)
    const run = newRun(from, plan, { id, by: caller.account.username }, ports)
    return { backup, plan, run: { ...run, ...undoneBy(plan, request) } }
  } catch (error) {
    await backup.close()
    throw error
  }
}

function undoneBy({ stacks }: RestorePlan, { undo }: RestoreRequest): Pick<BackupRun, 'undoes'> {
  const [stack] = stacks
  if (!undo || !stack) return {}
  const { deploymentId, services } = undo
  return { undoes: { stack: stack.name, deploymentId, services } }
}

function newRun(
  from: BackupRun,
  { hostId, items, leftOut }: RestorePlan,
  { id, by }: { id: string; by: string },
  ports: RestorePorts,
): BackupRun {
  const contents = items.map(({ object }) => object)
  return {
    id,
    kind: 'restore',
    jobId: from.jobId,
    jobName: from.jobName,
    hostId,
    by,
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    target: from.target,
    directory: from.directory,
    location: from.location,
    encrypted: from.encrypted,
    sha256: from.sha256,
    contents,
    restores: from.id,
    size: contents.reduce((sum, { bytes }) => sum + bytes, 0),
    progress: { ...noProgress, parts: items.length },
    stopped: [],
    leftovers: false,
    fence: 0,
    warnings: leftOutWarnings(leftOut, 'not restored'),
    journal: { phase: 'filling', places: items.map(({ place }) => place), made: [], moved: [] },
  }
}
