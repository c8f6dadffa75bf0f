import { Failure, failureReason, publicMessage } from '../../errors.ts'
import { ignoreError } from '../../ignore-error.ts'
import { logFailure } from '../../log-failure.ts'
import { refuseOwnAmong } from '../../owners/refuse-installation.ts'
import type { OpenTarget } from '../../ports/backup-targets.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupManifest, BackupObject } from '../../records/backup-manifest.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { retryTransient } from '../../time/retry-transient.ts'
import { version } from '../../version.ts'
import { authorityWarnings } from '../contents/authority-warnings.ts'
import { type BackupPart, partsOf } from '../contents/backup-parts.ts'
import { containersToStop } from '../contents/containers-of-services.ts'
import { type BackupExtent, findLeftOut } from '../contents/find-left-out.ts'
import { findSources } from '../contents/find-sources.ts'
import { leftOutMax, leftOutWarnings } from '../contents/left-out-texts.ts'
import { manifestName } from '../contents/object-form.ts'
import { archiveOf } from '../contents/part-archive.ts'
import { socketWarnings } from '../contents/socket-warnings.ts'
import { storePart } from '../contents/store-part.ts'
import { allowedSources } from '../jobs/allowed-sources.ts'
import { requireStanding } from '../jobs/job-account.ts'
import { removeEarlierLeftovers, removeLeftovers } from './leftovers.ts'
import { changeOrFail, type RunRecorder } from './recorder.ts'
import { restartStopped, stopContainer } from './restart-stopped.ts'
import { withHooks } from './with-hooks.ts'

export type ExecutePorts = Needs<
  | 'accounts'
  | 'backupJobs'
  | 'backupRuns'
  | 'backupTargets'
  | 'backupCodec'
  | 'systemArchive'
  | 'clock'
  | 'composer'
  | 'deployments'
  | 'engines'
  | 'hosts'
  | 'log'
  | 'owners'
  | 'registries'
  | 'roles'
  | 'settings'
  | 'stacks'
  | 'texts'
>

interface Work {
  job: BackupJob
  engine: Engine
  recorder: RunRecorder
  /** Aborted when the lease is lost or the service shuts down. */
  signal: AbortSignal
  ports: ExecutePorts
}

/** The outcome of a run. */
export type RunEnd = Pick<BackupRun, 'status' | 'error' | 'reason' | 'leftOnHost'>

/**
 * Executes a run: the `before` hook, stopping services, each part, starting the services again, the
 * `after` hook, and the manifest, which makes it a backup. Services are started again and the
 * `after` hook runs whatever happens. Durable after it: the objects at the target, the record of
 * the manifest and most of the progress. Never throws.
 */
export async function executeBackup(
  job: BackupJob,
  recorder: RunRecorder,
  signal: AbortSignal,
  ports: ExecutePorts,
): Promise<RunEnd> {
  let engine: Engine
  try {
    engine = await ports.engines.on(job.hostId)
  } catch (error) {
    return endOf(error, signal)
  }
  const end = await runToEnd({ job, engine, recorder, signal, ports })
  try {
    await engine.removeArchiveHelpers(recorder.run.id)
    return end
  } catch (error) {
    ports.log.warn('a host could not be cleaned up after a backup', { run: recorder.run.id, error })
    return { ...end, leftOnHost: true }
  }
}

async function runToEnd(work: Work): Promise<RunEnd> {
  const { recorder, signal, ports } = work
  try {
    const trouble = await storeAll(work)
    if (trouble === undefined) return { status: 'succeeded', error: null }
    // The hook is the user's own command.
    ports.log.warn('a backup failed', { run: recorder.run.id, error: trouble })
    return { status: 'failed', error: trouble }
  } catch (error) {
    if (!(error instanceof Failure) && !signal.aborted) {
      logFailure(ports.log, 'a backup failed', { run: recorder.run.id, error })
    }
    return endOf(error, signal)
  }
}

/** Returns the outcome of a run that failed or was aborted in this process. */
function endOf(error: unknown, signal: AbortSignal): RunEnd {
  if (signal.aborted) {
    return { status: 'interrupted', error: 'the service was stopped while this was running' }
  }
  const text = publicMessage(error, 'the service failed to complete it')
  return { status: 'failed', error: text, reason: failureReason(error) }
}

/** Stores everything. Returns the error of the `after` hook, if any. */
async function storeAll(work: Work): Promise<string | undefined> {
  const { job, recorder, signal, ports } = work
  const standing = await requireStanding(job, ports)
  const onRefusal = (error: unknown) =>
    logFailure(ports.log, 'a backup waits', { run: recorder.run.id, error })
  const looking = { signal, onRefusal }
  const { parts, extent, volumes } = await retryTransient(() => findParts(work), looking, ports)
  // Recorded before anything is stored, so that each run with content says whose it is.
  await changeOrFail(recorder, { volumes })
  recorder.progress({ parts: parts.length })
  await recordWarnings(
    [
      ...leftOutWarnings(extent.leftOut, 'not backed up'),
      ...(await authorityWarnings(parts, ports)),
    ],
    recorder,
  )
  const target = await ports.backupTargets.open(job.target, signal)
  let isStored = false
  try {
    await removeEarlierLeftovers(recorder.run, job, ports)
    const { value, trouble } = await withHooks({ ...work, standing }, () =>
      storeWhileStopped(parts, extent, target, work),
    )
    signal.throwIfAborted()
    await requireStanding(job, ports)
    await storeManifest({ objects: value, left_out: extent.leftOut }, target, work)
    isStored = true
    return trouble
  } finally {
    if (!isStored) {
      await removeLeftovers(recorder.run, job, ports, () => recorder.change({ leftovers: false }))
    }
    await target.close().catch(ignoreError('close a backup target'))
  }
}

/** Returns what is stored, and what is left out. Changes nothing on the host. */
async function findParts({ job, engine, ports }: Work) {
  const found = await findSources(job, engine, ports)
  const { sources, volumes } = await allowedSources(job, found, engine, ports)
  const parts = partsOf(sources)
  return { parts, volumes, extent: await findLeftOut(sources, parts, engine, ports) }
}

/** A run that fails has these warnings too. */
async function recordWarnings(more: readonly string[], recorder: RunRecorder): Promise<void> {
  if (more.length > 0) await recorder.change({ warnings: [...recorder.run.warnings, ...more] })
}

async function storeWhileStopped(
  parts: readonly BackupPart[],
  extent: BackupExtent,
  target: OpenTarget,
  work: Work,
): Promise<BackupObject[]> {
  const { job, engine, recorder, signal, ports } = work
  const stopping = await containersToStop(job, parts, extent, engine)
  await refuseOwnAmong(stopping, engine)
  // Recorded before containers are stopped: if this process dies, recovery knows what to start.
  if (stopping.length > 0) await changeOrFail(recorder, { stopped: stopping })
  try {
    for (const one of stopping) {
      signal.throwIfAborted()
      recorder.progress({ part: `stopping ${one.name}` })
      await stopContainer(one, { hostId: job.hostId, engine, signal }, ports)
    }
    return await storeEachPart(parts, target, work)
  } finally {
    if (stopping.length > 0) await startAgain(work)
  }
}

/**
 * Starts the stopped containers. Those that fail to start stay recorded, and recovery retries them.
 */
async function startAgain({ job, engine, recorder, signal, ports }: Work): Promise<void> {
  recorder.progress({ part: 'starting services' })
  const host = { hostId: job.hostId, engine, signal }
  const restarted = await restartStopped(recorder.run.stopped, host, ports)
  const { notStarted: left, error } = restarted
  const warned = restarted.early.map(
    ({ name }) => `${name} was started while its data was read: the data may be inconsistent`,
  )
  const warnings = [...recorder.run.warnings, ...warned, ...restarted.warnings]
  if (left.length > 0) {
    ports.log.warn('services could not be started after a backup', { left, error })
    warnings.push(`not restarted yet: ${left.map(({ name }) => name).join(', ')}`)
  }
  await recorder.change({ stopped: left, warnings })
}

async function storeEachPart(
  parts: readonly BackupPart[],
  target: OpenTarget,
  { job, engine, recorder, signal, ports }: Work,
): Promise<BackupObject[]> {
  const { run } = recorder
  const objects: BackupObject[] = []
  for (const [index, part] of parts.entries()) {
    // A long run ends with the rights of its account.
    await requireStanding(job, ports)
    recorder.progress({ part: part.label, done: index })
    const source = { engine, owner: run.id, signal }
    const warnings: string[] = []
    const object = await storePart(part, () => archiveOf(part, source, ports), {
      target,
      codec: ports.backupCodec,
      directory: run.directory,
      encrypted: run.encrypted,
      signal,
      count({ read, stored }) {
        const { bytes, storedBytes } = recorder.run.progress
        recorder.progress({ bytes: bytes + read, storedBytes: storedBytes + stored })
      },
      warn: (text) => warnings.push(text),
    })
    await recordWarnings([...warnings, ...(await socketWarnings(part, source, ports))], recorder)
    objects.push(object)
  }
  recorder.progress({ part: null, done: parts.length })
  return objects
}

type ManifestContent = Pick<BackupManifest, 'objects' | 'left_out'>

async function storeManifest(stored: ManifestContent, target: OpenTarget, work: Work) {
  const { job, recorder, signal, ports } = work
  const { run } = recorder
  const host = await ports.hosts.find(job.hostId)
  const manifest: BackupManifest = {
    format: 1,
    version,
    run: run.id,
    job: { id: job.id, name: job.name },
    host: { id: job.hostId, name: host?.name ?? job.hostId },
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: new Date(ports.clock.now()).toISOString(),
    objects: stored.objects,
    left_out: stored.left_out?.slice(0, leftOutMax.count),
  }
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  const form = { compression: 'none', encrypted: run.encrypted } as const
  const coded = ports.backupCodec.pack(once(content), form, signal)
  await target.put(`${run.directory}/${manifestName(run.encrypted)}`, coded.stream, signal)
  const { bytes, sha256 } = coded.counts().stored
  const size = stored.objects.reduce((sum, object) => sum + object.bytes, bytes)
  const whole = { contents: stored.objects, size, sha256, leftovers: false }
  await changeOrFail(recorder, whole)
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield content
}
