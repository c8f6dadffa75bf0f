import { markInterrupted } from '../../deploy/mark-interrupted.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupManifest } from '../../records/backup-manifest.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { StackRecord } from '../../records/stack.ts'
import { changeStack } from '../../stacks/stack-record.ts'

type EndPorts = Needs<'backupJobs' | 'backupRuns' | 'clock' | 'deployments' | 'stacks'>

/** The backup that the service was restored from. */
export interface CompletedRun {
  manifest: BackupManifest
  /** SHA-256 and size of the stored manifest. */
  sha256: string
  bytes: number
}

const reason = 'the service was restored from a backup that was made while this was running'

/** Deployments examined per stack. The newest is the one that may be running. */
const newest = 20

/**
 * Ends the work that was in progress when the backup was made, because no process continues it and
 * the restored service must not resume it days later. Returns the number of ended deployments.
 */
export async function endRestoredWork(from: CompletedRun, ports: EndPorts): Promise<number> {
  let ended = 0
  for (const stack of await ports.stacks.list()) {
    ended += await endDeployments(stack, ports)
    if (stack.openUpdate || stack.checkpoint || stack.undo) await endUpdate(stack.id, ports)
  }
  for (const run of await ports.backupRuns.listUnfinished()) await endRun(run, from, ports)
  return ended
}

/**
 * Ends a run. The run that made the backup was in progress in it, and succeeded. The outcome of
 * other runs is unknown: their objects at the targets may be complete backups, so they are not
 * removed.
 */
async function endRun(
  run: BackupRun,
  { manifest, sha256, bytes }: CompletedRun,
  ports: EndPorts,
): Promise<void> {
  const objects = manifest.objects
  const size = objects.reduce((sum, object) => sum + object.bytes, bytes)
  const end: Partial<BackupRun> =
    run.id === manifest.run
      ? { status: 'succeeded', error: null, size, sha256, contents: objects }
      : { status: 'interrupted', error: reason }
  const finishedAt = run.id === manifest.run ? Date.parse(manifest.finished_at) : ports.clock.now()
  const ended: BackupRun = { ...run, ...end, finishedAt, stopped: [], leftovers: false }
  await ports.backupRuns.save(ended)
  const job = await ports.backupJobs.find(run.jobId)
  if (!job || run.kind !== 'backup' || job.lastRun?.id !== run.id) return
  const { id, status, startedAt, error } = ended
  await ports.backupJobs.replace({ ...job, lastRun: { id, status, startedAt, finishedAt, error } })
}

/** Ends an update that was watched or taken back: what runs now need not be what it brought. */
async function endUpdate(id: string, ports: EndPorts): Promise<void> {
  const at = ports.clock.now()
  await changeStack(
    id,
    ({ openUpdate, update }) => {
      const forgotten = { checkpoint: undefined, undo: undefined }
      if (!openUpdate) return forgotten
      const { deploymentId } = openUpdate
      return {
        ...forgotten,
        openUpdate: undefined,
        update:
          update?.deploymentId === deploymentId && update.rollback
            ? { ...update, rollback: { ...update.rollback, state: 'replaced' } }
            : { deploymentId, outcome: 'unknown', reason, at },
      }
    },
    ports,
  )
}

/**
 * Ends the deployments of a stack. Its record and its deployments were read at different times: a
 * deployment that ended in either of them has ended.
 */
async function endDeployments(
  { id, last, fence = 0 }: StackRecord,
  ports: EndPorts,
): Promise<number> {
  const deployments = await ports.deployments.listByStack(id, newest)
  const running = deployments.filter(({ status }) => status === 'running')
  for (const deployment of running) {
    const ended = last?.deploymentId === deployment.id && last.status !== 'running'
    if (ended) await ports.deployments.save({ ...deployment, status: last.status })
    else {
      const failure = { error: reason, reason: undefined }
      await markInterrupted(deployment, failure, Math.max(deployment.fence ?? 0, fence), ports)
    }
  }
  if (last?.status === 'running' && !running.some((one) => one.id === last.deploymentId)) {
    const known = deployments.find((one) => one.id === last.deploymentId)
    const { status, error, finishedAt } = known ?? {
      status: 'interrupted' as const,
      error: reason,
      finishedAt: ports.clock.now(),
    }
    await changeStack(id, () => ({ last: { ...last, status, error, finishedAt } }), ports)
  }
  return running.length
}
