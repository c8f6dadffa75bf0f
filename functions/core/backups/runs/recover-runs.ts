import { recoveryHolderOf } from '../../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../../leases/lease-renewal.ts'
import { logFailure } from '../../log-failure.ts'
import type { Needs } from '../../ports/ports.ts'
import { type BackupRun, isUnfinished, runLease } from '../../records/backup-run.ts'

type RunRecoveryPorts = Needs<
  'background' | 'backupRuns' | 'clock' | 'leases' | 'log' | 'reminders'
>

/**
 * Finds the runs of a kind whose process died, by their expired lease, and passes each to `recover`
 * with the fence of a new lease. The signal of `recover` aborts if that lease is lost. What fails
 * is logged, and the next call tries it again.
 */
export async function recoverRuns(
  kind: BackupRun['kind'],
  ports: RunRecoveryPorts,
  recover: (run: BackupRun, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const runs = await ports.backupRuns.listUnfinished()
  const ofKind = runs.filter((run) => run.kind === kind)
  const recoverOrLog = (run: BackupRun) =>
    recoverRun(run, ports, recover).catch((error) => {
      // Its host may be unreachable for long.
      if (!ports.reminders.isDue(`recover ${run.id}`)) return
      logFailure(ports.log, `a ${kind} could not be recovered yet`, { run: run.id, error })
    })
  await Promise.all(ofKind.map(recoverOrLog))
}

async function recoverRun(
  found: BackupRun,
  ports: RunRecoveryPorts,
  recover: (run: BackupRun, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { background, backupRuns, leases } = ports
  const name = runLease(found)
  if ((await leases.peek(name)).held) return
  const lease = await leases.acquire(
    name,
    recoveryHolderOf(background.processId, found.id),
    leaseTime,
  )
  if (!lease) return
  await withLeaseRenewal(lease, new AbortController().signal, ports, async ({ signal, fence }) => {
    const run = await backupRuns.find(found.id)
    if (run && isUnfinished(run)) await recover({ ...run, fence }, signal)
  })
}
