import { deploysStacks, reachOf } from '../../access/reach.ts'
import { withLeaseRenewal } from '../../leases/lease-renewal.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { withReadingLock } from '../runs/reading-lock.ts'
import type { StartedRun } from '../runs/start-backup.ts'
import { acquireRestore } from './acquire-restore.ts'
import { executeRestore } from './execute-restore.ts'
import { finishRestore } from './finish-restore.ts'
import { prepareRestore } from './prepare-restore.ts'
import { recordRestore } from './record-restore.ts'
import type { RestoreRequest, Restorer } from './restore-plan.ts'
import type { RestorePorts } from './restore-work.ts'

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
  caller: Restorer,
  ports: RestorePorts,
  id = ports.random.id(),
): Promise<StartedRun> {
  const started = promised<StartedRun>()
  const finished = promised<BackupRun>()
  ports.background.run(`restore ${from.jobName}`, async (signal) => {
    try {
      await withReadingLock(from.id, id, signal, ports, async (reading) => {
        const prepared = await prepareRestore(from, request, caller, { id, signal: reading }, ports)
        try {
          const lease = await acquireRestore(prepared.run, ports)
          await withLeaseRenewal(lease, reading, ports, async (held) => {
            const recorder = await recordRestore(prepared, request, held, ports)
            started.resolve({ run: recorder.run, finished: finished.promise })
            const rights = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
            const { plan, backup } = prepared
            const own = { ...ports, composer: ports.composer.inBackground() }
            const { signal } = held
            const by = caller.account
            const { undo } = request
            const work = { plan, backup, recorder, signal, ...rights, by, undo, ports: own }
            try {
              await finishRestore(await executeRestore(work), work)
            } finally {
              finished.resolve(recorder.run)
            }
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
