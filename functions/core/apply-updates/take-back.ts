import { startDeployment } from '../deploy/deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isTransient, publicMessage } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import type { Stored } from '../ports/collection.ts'
import type { NewAuditRow } from '../records/audit-row.ts'
import type { BackupRun } from '../records/backup-run.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import type { OpenUpdate, UpdateRollback } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { restoredRow, rollbackFailedRow } from './report-update.ts'
import { startRollbackWithData } from './restore-before.ts'
import { retagBefore } from './retag.ts'
import type { ApplyPorts } from './update-ports.ts'
import { withReport, writeReports } from './write-reports.ts'

/** Milliseconds between two attempts, and how many there are. */
export const pause = 5 * 60_000
const attemptsMax = 12

/**
 * Takes a bad update back, or finds out how that went. It is tried again if it fails. While the
 * host does not respond, it waits. With a backup from before, the data goes back too.
 */
export async function takeBack(
  stack: Stored<StackRecord>,
  openUpdate: OpenUpdate,
  rollback: UpdateRollback,
  ports: ApplyPorts,
): Promise<void> {
  const { last, restore } = await lastAttempt(stack, openUpdate, ports)
  if (last?.status === 'running') return
  if (last?.status === 'succeeded') {
    const report = restore && restoredRow(stack, restore, ports)
    return end(stack, { ...rollback, state: 'done', error: null }, report, ports)
  }
  if (rollback.attempts >= attemptsMax) {
    const error = rollback.error ?? last?.error ?? 'its deployment is no longer recorded'
    const report = rollbackFailedRow(stack, error, ports)
    return end(stack, { ...rollback, state: 'failed', error }, report, ports)
  }
  // A process that ended says nothing of the attempt. A time far ahead was recorded by a wrong
  // clock.
  const wait = last?.status === 'interrupted' ? 0 : rollback.nextAt - ports.clock.now()
  if (wait > 0 && wait <= pause) return
  await callHost(stack.hostId, ports, (engine) => engine.apiVersion())
  const bad = await ports.deployments.find(stack.id, openUpdate.deploymentId)
  if (!bad) return end(stack, { ...rollback, state: 'replaced' }, undefined, ports)
  const begun = {
    ...rollback,
    attempts: rollback.attempts + 1,
    nextAt: ports.clock.now() + pause,
    error: null,
  }
  const restoreId = needsRestore(openUpdate, restore) ? ports.random.id() : openUpdate.restoreId
  const current = await save(stack, begun, { restoreId }, ports)
  if (!current) return
  const starting =
    restoreId === openUpdate.restoreId
      ? start(current, bad, ports)
      : startRollbackWithData(current, bad, restoreId, ports)
  await starting.catch(async (error) => {
    const attempts = isTransient(error) ? rollback.attempts : begun.attempts
    await save(stack, { ...begun, attempts, error: publicMessage(error, 'it failed') }, {}, ports)
  })
}

interface Attempts {
  /** How the last attempt goes. Undefined if none was begun, or it is no longer recorded. */
  last: Pick<Deployment, 'status' | 'error'> | undefined
  /** The last restore of the data from before. */
  restore: BackupRun | undefined
}

/** Returns the last attempt to take an update back. */
async function lastAttempt(
  stack: StackRecord,
  { rollbackId, restoreId }: OpenUpdate,
  ports: ApplyPorts,
): Promise<Attempts> {
  const restore = restoreId === undefined ? undefined : await ports.backupRuns.find(restoreId)
  const isDecided = restore && (restore.status === 'running' || !isInPlace(restore))
  const deployment =
    rollbackId === undefined || isDecided
      ? undefined
      : await ports.deployments.find(stack.id, rollbackId)
  // Once the data is in place, another process may go on with the deployment of the restore.
  return { last: restore?.status === 'succeeded' ? restore : (deployment ?? restore), restore }
}

/** Returns whether a restore has put all data into its place. */
const isInPlace = ({ journal }: BackupRun): boolean => journal?.phase === 'deploying'

/** Once the data is in its place, only the deployment is repeated. */
const needsRestore = ({ checkpoint }: OpenUpdate, restore: BackupRun | undefined): boolean =>
  checkpoint !== undefined && !(restore && isInPlace(restore))

/** Deploys what ran before an update, with the rights that the update had. */
async function start(
  stack: Stored<StackRecord>,
  bad: Deployment,
  ports: ApplyPorts,
): Promise<void> {
  const { files, environment, profiles, options, reach = 'stack', mayUse = [] } = bad
  const { services, update } = options
  if (!update) return
  const mayDeploy = async (name: string) => mayUse.includes(name)
  const { startRecorded } = await startDeployment(
    {
      kind: 'deploy',
      stack,
      files,
      environment,
      profiles,
      reach,
      mayDeploy,
      unchangedSince: stack.revision,
      options: {
        ...plainOptions,
        services,
        withoutDependencies: true,
        // After a restore, the record does not say what is in the directory.
        ...(update.checkpoint && { overwriteDrift: true, acceptImages: true }),
        retag: retagBefore(update, stack),
        update: { ...update, undoes: bad.id },
      },
    },
    { id: bad.accountId ?? '', username: bad.by },
    ports,
  )
  await startRecorded()
}

/** Records how the rollback ended, and reports that. */
async function end(
  stack: StackRecord,
  rollback: UpdateRollback,
  report: NewAuditRow | undefined,
  ports: ApplyPorts,
): Promise<void> {
  await save(stack, rollback, { report }, ports)
  await writeReports(stack.id, ports)
}

/** What else is recorded of a rollback. */
interface Progress {
  /** The run that restores the data; undefined for the same as before. */
  restoreId?: string | undefined
  report?: NewAuditRow | undefined
}

/**
 * Records how far the rollback is. Returns the record after it, or undefined if someone else ended
 * the update meanwhile.
 */
async function save(
  { id, openUpdate: known }: StackRecord,
  rollback: UpdateRollback,
  { restoreId, report }: Progress,
  ports: ApplyPorts,
): Promise<Stored<StackRecord> | undefined> {
  let isOpen = false
  const saved = await changeStack(
    id,
    ({ openUpdate, update, undo, unreported }) => {
      isOpen = openUpdate?.deploymentId === known?.deploymentId
      if (!isOpen || !update || !openUpdate) return {}
      const isOver = rollback.state !== 'due'
      return {
        update: { ...update, rollback },
        openUpdate: isOver ? undefined : { ...openUpdate, ...(restoreId && { restoreId }) },
        undo: rollback.state === 'done' ? undefined : undo,
        ...withReport({ unreported }, report),
      }
    },
    ports,
  )
  return isOpen ? saved : undefined
}
