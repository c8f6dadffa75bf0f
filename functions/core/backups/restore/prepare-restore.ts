import type { Caller } from '../../records/account.ts'
import { type BackupRun, noProgress } from '../../records/backup-run.ts'
import { leftOutWarnings } from '../contents/left-out-texts.ts'
import { type OpenBackup, openBackup } from '../contents/open-backup.ts'
import { refuseTaken } from './check-places.ts'
import { planRestore } from './plan-restore.ts'
import type { RestorePlan, RestoreRequest } from './restore-plan.ts'
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
  caller: Caller,
  { id, signal }: { id: string; signal: AbortSignal },
  ports: RestorePorts,
): Promise<PreparedRestore> {
  const backup = await openBackup(from, ports, signal)
  try {
    const plan = await planRestore(from, request, caller, { backup, owner: id, signal }, ports)
    await refuseTaken(plan, ports)
    return { backup, plan, run: newRun(from, plan, { id, by: caller.account.username }, ports) }
  } catch (error) {
    await backup.close()
    throw error
  }
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
