import type { Caller } from '../../access/account.ts'
import { holderOf } from '../../acquire-with-retry.ts'
import { conflict } from '../../errors.ts'
import { withLeaseRenewal } from '../../lease-renewal.ts'
import type { Needs } from '../../ports.ts'
import { deploysStacks, reachOf } from '../../stacks/reach.ts'
import type { RunPorts } from '../../stacks/run.ts'
import type { BegunRun } from '../begin.ts'
import { type OpenBackup, type OpenPorts, openBackup } from '../open-backup.ts'
import { whileRead } from '../reading.ts'
import { recordRun } from '../recorder.ts'
import { type BackupRun, noProgress, runLease } from '../run.ts'
import { carryOutRestore } from './carry-out.ts'
import { placeName } from './places.ts'
import { planRestore, type RestoreOrder, type RestorePlan } from './plan.ts'

export type RestorePorts = RunPorts & OpenPorts & Needs<'backupRuns' | 'hosts'>

/** How long a restore stays locked after its holder died. Milliseconds. */
const held = 10_000

/**
 * Starts to restore a backup. Everything that can be checked is checked before anything changes:
 * throws the errors of `openBackup` and `planRestore`. The backup is read from its target until the
 * run ends, and cannot be removed during that time.
 */
export async function beginRestore(
  from: BackupRun,
  order: RestoreOrder,
  caller: Caller,
  ports: RestorePorts,
): Promise<BegunRun> {
  const id = ports.random.id()
  const begun = promised<BegunRun>()
  ports.background.run(`restore ${from.jobName}`, async (signal) => {
    let isBegun = false
    try {
      await whileRead(from.id, id, signal, ports, async (reading) => {
        const backup = await openBackup(from, ports, reading)
        try {
          const opened = { backup, owner: id, signal: reading }
          const plan = await planRestore(from, order, caller, opened, ports)
          await refuseTaken(plan, ports)
          const run = newRun(from, plan, { id, by: caller.account.username }, ports)
          isBegun = true
          await runPlan(run, plan, backup, caller, reading, begun, ports)
        } finally {
          await backup.close()
        }
      })
    } catch (error) {
      begun.reject(error)
      if (isBegun) ports.log.error('a restore could not be recorded', { run: id, error })
    }
  })
  return begun.promise
}

/**
 * Rejects places where another restore is in progress, or has yet to be undone because its host or
 * process was cut off.
 *
 * @throws 409 for such a place
 */
async function refuseTaken({ hostId, items }: RestorePlan, { backupRuns }: RestorePorts) {
  const wanted = new Set(items.map(({ place }) => placeName(place)))
  for (const run of await backupRuns.listUnfinished()) {
    if (run.hostId !== hostId || run.journal?.phase === 'deploying') continue
    const moved = run.journal?.moved.find(({ place }) => wanted.has(placeName(place)))
    if (!moved) continue
    throw conflict(
      `${placeName(moved.place)}: another restore of it is running or being undone, try again in a moment`,
    )
  }
}

async function runPlan(
  run: BackupRun,
  plan: RestorePlan,
  backup: OpenBackup,
  caller: Caller,
  reading: AbortSignal,
  begun: { resolve(run: BegunRun): void; reject(error: unknown): void },
  ports: RestorePorts,
): Promise<void> {
  const holder = holderOf(ports.background.processId, run.id)
  const lease = await ports.leases.acquire(runLease(run), holder, held)
  if (!lease) return begun.reject(conflict('the restore was taken over'))
  const recorder = recordRun({ ...run, fence: lease.fence }, ports)
  const ended = await withLeaseRenewal(lease, reading, ports, async ({ signal }) => {
    try {
      await ports.backupRuns.create(recorder.run)
    } catch (error) {
      begun.reject(error)
      return undefined
    }
    const done = promised<BackupRun>()
    begun.resolve({ run: recorder.run, done: done.promise })
    const rights = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports), by: run.by }
    const work = { plan, backup, recorder, signal, ...rights, ports }
    const end = await carryOutRestore(work)
    await recorder.stop()
    // Without an end, the process that takes the run over undoes it and records how it ended.
    if (end) await recorder.change({ ...end, finishedAt: ports.clock.now() }).catch(() => {})
    done.resolve(recorder.run)
    return end
  })
  if (!ended) ports.log.warn('a restore is left to be taken over', { run: run.id })
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

function newRun(
  from: BackupRun,
  { hostId, items }: RestorePlan,
  { id, by }: { id: string; by: string },
  ports: RestorePorts,
): BackupRun {
  const contents = items.map(({ object }) => object)
  return {
    ...{ id, kind: 'restore', jobId: from.jobId, jobName: from.jobName, hostId, by },
    ...{ status: 'running', error: null, startedAt: ports.clock.now(), finishedAt: null },
    ...{ target: from.target, directory: from.directory, location: from.location },
    ...{ encrypted: from.encrypted, sha256: from.sha256, contents, restores: from.id },
    size: contents.reduce((sum, { bytes }) => sum + bytes, 0),
    progress: { ...noProgress, parts: items.length },
    ...{ stopped: [], leftovers: false, fence: 0, warnings: [] },
    journal: { phase: 'filling', made: [], moved: [] },
  }
}
