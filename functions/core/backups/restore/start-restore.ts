import { conflict } from '../../errors.ts'
import { acquireWithRetry, holderOf } from '../../leases/acquire-with-retry.ts'
import { type HeldLease, withLeaseRenewal } from '../../leases/lease-renewal.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Caller } from '../../records/account.ts'
import { type BackupRun, noProgress, runLease } from '../../records/backup-run.ts'
import { deploysStacks, reachOf } from '../../stacks/reach.ts'
import { leftOutWarnings } from '../left-out-texts.ts'
import { type OpenBackup, openBackup } from '../open-backup.ts'
import { withReadingLock } from '../reading-lock.ts'
import { type RunRecorder, recordRun } from '../recorder.ts'
import type { StartedRun } from '../start-backup.ts'
import { executeRestore } from './execute-restore.ts'
import { finishRestore } from './finish-restore.ts'
import { journalOf } from './journal.ts'
import { placeName } from './places.ts'
import { findOccupied, planRestore } from './plan-restore.ts'
import type { RestorePlan, RestoreRequest } from './restore-plan.ts'
import type { RestorePorts } from './restore-work.ts'

/** A restore that was checked and planned. Nothing has changed yet. */
interface PreparedRestore {
  backup: OpenBackup
  plan: RestorePlan
  run: BackupRun
}

/**
 * Starts to restore a backup. The backup is read from its target until the run ends, and cannot be
 * removed during that time.
 *
 * @throws 409 while the backup is removed or another restore writes to the same places, and what
 *   `openBackup` and `planRestore` throw; nothing has changed then
 */
export async function startRestore(
  from: BackupRun,
  request: RestoreRequest,
  caller: Caller,
  ports: RestorePorts,
): Promise<StartedRun> {
  const id = ports.random.id()
  const started = promised<StartedRun>()
  const finished = promised<BackupRun>()
  ports.background.run(`restore ${from.jobName}`, async (signal) => {
    try {
      await withReadingLock(from.id, id, signal, ports, async (reading) => {
        const prepared = await prepare(from, request, caller, { id, signal: reading }, ports)
        try {
          const lease = await acquire(prepared.run, ports)
          await withLeaseRenewal(lease, reading, ports, async (held) => {
            const recorder = await record(prepared, request, held, ports)
            started.resolve({ run: recorder.run, finished: finished.promise })
            const rights = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
            const { plan, backup, run } = prepared
            const work = { plan, backup, recorder, signal: held.signal, ...rights, by: run.by }
            const execution = await executeRestore({ ...work, ports })
            await finishRestore(execution, { ...work, ports })
            finished.resolve(recorder.run)
          })
        } finally {
          await prepared.backup.close()
        }
      })
    } catch (error) {
      started.reject(error)
    }
  })
  return started.promise
}

/**
 * Opens the backup and plans the restore. Durable after it: nothing of the restore. The files of
 * stacks in the backup may have been stored, as texts that no record names yet.
 */
async function prepare(
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

/** How long a restore stays locked after its holder died. Milliseconds. */
const leaseTime = 10_000

/** Acquires the lease of the run. Durable after it: the lease, for ten seconds. */
async function acquire(run: BackupRun, { background, leases }: RestorePorts): Promise<Lease> {
  const lease = await leases.acquire(
    runLease(run),
    holderOf(background.processId, run.id),
    leaseTime,
  )
  if (!lease) throw conflict('the restore was taken over', { reason: 'lease-held' })
  return lease
}

/**
 * Creates the record of a run. Durable after it: a run with the status `running` that names the
 * places it writes to. If this process dies from here on, `reapRestores` undoes or ends the run.
 *
 * @throws 409 if another restore writes to one of the places, or has done so since the plan
 */
async function record(
  { plan, run }: PreparedRestore,
  request: RestoreRequest,
  { fence, signal }: HeldLease,
  ports: RestorePorts,
): Promise<RunRecorder> {
  const recorder = recordRun({ ...run, fence }, ports)
  await onePerHost(plan.hostId, ports, async () => {
    await refuseTaken(plan, ports)
    const engine = await ports.engines.on(plan.hostId)
    await findOccupied(plan, request, { engine, owner: run.id, signal })
    await ports.backupRuns.create(recorder.run)
  })
  return recorder
}

/**
 * Does short work that starts a restore, for one restore at a time on each host: of two that start
 * together, the second one sees the record of the first.
 *
 * @throws 409 if others start restores for more than about 2 s
 */
async function onePerHost(hostId: string, ports: RestorePorts, work: () => Promise<void>) {
  const { background, leases, random } = ports
  const name = `restores:${hostId}`
  const holder = `${background.processId}/start ${random.id()}`
  const attempt = () => leases.acquire(name, holder, leaseTime)
  const lease = await acquireWithRetry(name, attempt, async () => true, ports)
  if (!lease)
    throw conflict(`host ${hostId}: other restores are being started, try again`, {
      reason: 'lease-held',
    })
  await withLeaseRenewal(lease, new AbortController().signal, ports, work)
}

/**
 * Rejects places where another restore is in progress, or has yet to be undone because its host or
 * process was cut off.
 *
 * @throws 409 for such a place
 */
async function refuseTaken({ hostId, items }: RestorePlan, { backupRuns }: RestorePorts) {
  const restoredPlaces = new Set(items.map(({ place }) => placeName(place)))
  for (const run of await backupRuns.listUnfinished()) {
    const { phase, places = [], moved } = journalOf(run)
    if (run.kind !== 'restore' || run.hostId !== hostId || phase === 'deploying') continue
    const inUse = [...moved.map(({ place }) => place), ...(run.status === 'running' ? places : [])]
    const taken = inUse.map(placeName).find((name) => restoredPlaces.has(name))
    if (taken === undefined) continue
    throw conflict(
      `${taken}: another restore of it is running or being undone, try again in a moment`,
      { reason: 'lease-held' },
    )
  }
}

/** Returns a promise with its resolve functions. */
function promised<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((keep, give) => {
    resolve = keep
    reject = give
  })
  return { promise, resolve, reject }
}
