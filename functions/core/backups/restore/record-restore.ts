import { leaseHeld } from '../../errors.ts'
import { hostNameOf } from '../../hosts/host-name.ts'
import { acquireWithRetry, holderOf } from '../../leases/acquire-with-retry.ts'
import { type HeldLease, leaseTime, withLeaseRenewal } from '../../leases/lease-renewal.ts'
import { refuseWhilePaused } from '../../leases/pause.ts'
import { type BackupRun, startedRestores } from '../../records/backup-run.ts'
import { type RunRecorder, startRecorder } from '../runs/recorder.ts'
import { findOccupied, refuseTaken } from './check-places.ts'
import type { PreparedRestore } from './prepare-restore.ts'
import type { RestoreRequest } from './restore-plan.ts'
import type { RestorePorts } from './restore-work.ts'

/**
 * Creates the record of a run. Durable after it: a run with the status `running` that names the
 * places it writes to. If this process dies from here on, `recoverRestores` undoes or ends the run.
 *
 * @throws 409 if another restore writes to one of the places, or has done so since the plan, and
 *   while the service is paused
 */
export async function recordRestore(
  { plan, run }: PreparedRestore,
  request: RestoreRequest,
  { fence, signal }: HeldLease,
  ports: RestorePorts,
): Promise<RunRecorder> {
  const recorder = startRecorder({ ...run, fence }, ports)
  await onePerHost(run, ports, async () => {
    await refuseWhilePaused(ports)
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
async function onePerHost(
  { id, hostId }: BackupRun,
  ports: RestorePorts,
  work: () => Promise<void>,
) {
  const { background, leases } = ports
  const name = startedRestores(hostId)
  const holder = holderOf(background.processId, id)
  const attempt = () => leases.acquire(name, holder, leaseTime)
  const lease = await acquireWithRetry(name, attempt, async () => true, ports)
  if (!lease)
    throw leaseHeld(
      `host ${await hostNameOf(hostId, ports)}: other restores are being started, try again`,
    )
  await withLeaseRenewal(lease, new AbortController().signal, ports, work)
}
