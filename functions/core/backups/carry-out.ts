import { withDeadline } from '../deadline.ts'
import type { Engine } from '../engine/engine.ts'
import { broken, Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { version } from '../version.ts'
import { archiveOf } from './archive.ts'
import { findSources } from './find-sources.ts'
import { runHook } from './hook.ts'
import type { BackupJob } from './job.ts'
import { type BackupManifest, type BackupObject, manifestName } from './manifest.ts'
import { type BackupPart, partsOf } from './parts.ts'
import type { OpenTarget } from './ports.ts'
import type { RunRecorder } from './recorder.ts'
import { removeInTime } from './retention.ts'
import type { BackupRun } from './run.ts'
import { startAgain, toStop } from './services.ts'
import { storePart } from './store-part.ts'

export type CarryOutPorts = Needs<
  | 'backupJobs'
  | 'backupRuns'
  | 'backupTargets'
  | 'backupCodec'
  | 'systemArchive'
  | 'clock'
  | 'composer'
  | 'engines'
  | 'hosts'
  | 'log'
  | 'stacks'
  | 'texts'
>

interface Work {
  job: BackupJob
  engine: Engine
  recorder: RunRecorder
  /** Aborted when the lease is lost, or the service ends. */
  signal: AbortSignal
  ports: CarryOutPorts
}

/** How a run ended. */
export type RunEnd = Pick<BackupRun, 'status' | 'error'>

/**
 * Does a run: the hook before, what is to be stopped, each part, what was stopped, the hook after, and the manifest, which makes
 * a backup of it. What was stopped is started again and the hook after runs whatever happens. Never throws.
 */
export async function carryOutBackup(
  job: BackupJob,
  recorder: RunRecorder,
  signal: AbortSignal,
  ports: CarryOutPorts,
): Promise<RunEnd> {
  try {
    const engine = await ports.engines.on(job.hostId)
    const work: Work = { job, engine, recorder, signal, ports }
    await storeAll(work)
    return { status: 'succeeded', error: null }
  } catch (error) {
    if (!(error instanceof Failure) && !signal.aborted) {
      ports.log.error('a backup failed', { run: recorder.run.id, error })
    }
    return endOf(error, signal)
  }
}

/** What a run ends with that was cut off in this process. */
function endOf(error: unknown, signal: AbortSignal): RunEnd {
  if (error instanceof HookFailed) return { status: 'failed', error: error.message }
  if (signal.aborted) {
    return { status: 'interrupted', error: 'the service was stopped in the middle of it' }
  }
  const words = error instanceof Failure ? error.message : 'the service failed to do it'
  return { status: 'failed', error: words }
}

class HookFailed extends Error {}

async function storeAll(work: Work): Promise<void> {
  const { job, recorder, signal, ports } = work
  const sources = await findSources(job, work.engine, ports)
  const parts = partsOf(sources)
  recorder.progress({ parts: parts.length })
  const target = await ports.backupTargets.open(job.target, signal)
  let isStored = false
  let afterHook: unknown
  try {
    await removeLeftovers(work)
    let objects: BackupObject[]
    try {
      objects = await betweenHooks(work, () => storeParts(parts, target, work))
    } catch (error) {
      if (!(error instanceof AfterHookFailed)) throw error
      afterHook = error
      objects = error.objects
    }
    signal.throwIfAborted()
    await storeManifest(objects, target, work)
    isStored = true
  } finally {
    if (!isStored) await removeOwn(work)
    await target.close().catch(() => {})
  }
  if (afterHook) throw new HookFailed((afterHook as Error).message)
}

/** The hook after a backup failed; what was read before is whole all the same. */
class AfterHookFailed extends Error {
  readonly objects: BackupObject[]

  constructor(message: string, objects: BackupObject[]) {
    super(message)
    this.objects = objects
  }
}

async function betweenHooks(work: Work, read: () => Promise<BackupObject[]>) {
  const { job, engine, signal, ports, recorder } = work
  const { before, after } = job.hooks
  const told = (which: string) => (error: unknown) => {
    if (signal.aborted) throw signal.reason
    const words = error instanceof Failure ? error.message : 'the service failed to run it'
    throw broken(`the hook ${which} the backup: ${words}`, { cause: error })
  }
  let done: { objects: BackupObject[] } | { error: unknown }
  try {
    recorder.progress({ part: 'hook before' })
    if (before) await runHook(before, job, engine, signal, ports).catch(told('before'))
    done = { objects: await read() }
  } catch (error) {
    done = { error }
  }
  let trouble: unknown
  if (after) {
    recorder.progress({ part: 'hook after' })
    // It may free what the one before has locked: also when all is to end.
    const run = (own: AbortSignal) => runHook(after, job, engine, own, ports)
    await (signal.aborted ? withDeadline(lastHookDeadline, ports.clock, run) : run(signal))
      .catch(told('after'))
      .catch((error) => {
        trouble = error
      })
  }
  if ('error' in done) throw done.error
  if (trouble) throw new AfterHookFailed((trouble as Error).message, done.objects)
  return done.objects
}

/** Milliseconds for the hook after, when the service is about to end. */
const lastHookDeadline = 5000

async function storeParts(
  parts: readonly BackupPart[],
  target: OpenTarget,
  work: Work,
): Promise<BackupObject[]> {
  const { job, engine, recorder, signal, ports } = work
  const directories: string[] = []
  for (const part of parts) {
    const stack = part.kind === 'stack' ? await ports.stacks.find(part.source) : undefined
    if (stack) directories.push(stack.directory)
  }
  const stopping = await toStop(job, parts, directories, engine)
  // Recorded before it happens: whoever finds the run knows what to start.
  if (stopping.length > 0 && !(await recorder.change({ stopped: stopping }))) {
    throw broken('another process has taken it over')
  }
  try {
    for (const { id, name } of stopping) {
      signal.throwIfAborted()
      recorder.progress({ part: `stopping ${name}` })
      await engine.act(id, { kind: 'stop' })
    }
    return await readParts(parts, target, work)
  } finally {
    if (stopping.length > 0) await startStopped(work)
  }
}

/** What cannot be started now stays recorded: recovery goes on trying. */
async function startStopped({ engine, recorder, ports }: Work): Promise<void> {
  recorder.progress({ part: 'starting services' })
  const early: string[] = []
  const { left, error } = await startAgain(recorder.run.stopped, engine, (name) => early.push(name))
  const told = early.map((name) => `${name} was started while it was read: it may not fit together`)
  const warnings = [...recorder.run.warnings, ...told]
  if (left.length > 0) {
    ports.log.warn('services could not be started after a backup', { left, error })
    warnings.push(`not started again yet: ${left.map(({ name }) => name).join(', ')}`)
  }
  await recorder.change({ stopped: left, warnings })
}

async function readParts(
  parts: readonly BackupPart[],
  target: OpenTarget,
  { engine, recorder, signal, ports }: Work,
): Promise<BackupObject[]> {
  const { run } = recorder
  const objects: BackupObject[] = []
  for (const [index, part] of parts.entries()) {
    recorder.progress({ part: part.label, done: index })
    const source = { engine, owner: run.id, signal }
    const object = await storePart(part, () => archiveOf(part, source, ports), {
      ...{ target, codec: ports.backupCodec, directory: run.directory },
      ...{ encrypted: run.encrypted, signal },
      count({ read, stored }) {
        const { bytes, storedBytes } = recorder.run.progress
        recorder.progress({ bytes: bytes + read, storedBytes: storedBytes + stored })
      },
    })
    objects.push(object)
  }
  recorder.progress({ part: null, done: parts.length })
  return objects
}

async function storeManifest(objects: BackupObject[], target: OpenTarget, work: Work) {
  const { job, recorder, signal, ports } = work
  const { run } = recorder
  const host = await ports.hosts.find(job.hostId)
  const manifest: BackupManifest = {
    ...{ format: 1, version, run: run.id },
    job: { id: job.id, name: job.name },
    host: { id: job.hostId, name: host?.name ?? job.hostId },
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: new Date(ports.clock.now()).toISOString(),
    objects,
  }
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  const form = { compression: 'none', encrypted: run.encrypted } as const
  const coded = ports.backupCodec.pack(once(content), form, signal)
  await target.put(`${run.directory}/${manifestName(run.encrypted)}`, coded.stream, signal)
  const { stored } = coded.counts()
  const size = objects.reduce((sum, { bytes }) => sum + bytes, stored.bytes)
  const whole = { contents: objects, size, sha256: stored.sha256, leftovers: false }
  if (!(await recorder.change(whole))) throw broken('another process has taken it over')
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield content
}

/** What the run stored before it failed; what cannot be removed now is left to the next one. */
async function removeOwn({ job, recorder, ports }: Work): Promise<void> {
  try {
    // Also when the run's own signal is over: removing takes a moment.
    await removeInTime(recorder.run, job, ports)
    await recorder.change({ leftovers: false })
  } catch (error) {
    ports.log.warn('what is left of a backup could not be removed', { run: recorder.run.id, error })
  }
}

/** What earlier runs of the job could not remove. Whatever becomes of it, this run goes on. */
async function removeLeftovers({ job, recorder, ports }: Work): Promise<void> {
  const runs = await ports.backupRuns.list({ jobId: job.id, limit: 100 })
  const over = runs.filter(
    ({ id, kind, status, leftovers }) =>
      id !== recorder.run.id && kind === 'backup' && leftovers && status !== 'running',
  )
  for (const run of over) {
    try {
      await removeInTime(run, job, ports)
      await ports.backupRuns.save({ ...run, leftovers: false })
    } catch (error) {
      ports.log.warn('what is left of a backup could not be removed', { run: run.id, error })
    }
  }
}
