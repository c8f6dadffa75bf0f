import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import { type BackupRun, isUnfinished, runLease } from '../records/backup-run.ts'

/** How long a run stays locked after the process that recovers it died. Milliseconds. */
const leaseTime = 10_000

type TakeOverPorts = Needs<'background' | 'backupRuns' | 'clock' | 'leases'>

/**
 * Finds the runs of a kind whose process died, by their expired lease, and passes each to `finish`
 * with the fence of a new lease. The signal of `finish` aborts if that lease is lost.
 */
export async function takeOverRuns(
  kind: BackupRun['kind'],
  ports: TakeOverPorts,
  finish: (run: BackupRun, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const runs = await ports.backupRuns.listUnfinished()
  const ofKind = runs.filter((run) => run.kind === kind)
  await Promise.all(ofKind.map((run) => takeOverRun(run, ports, finish)))
}

async function takeOverRun(
  found: BackupRun,
  ports: TakeOverPorts,
  finish: (run: BackupRun, signal: AbortSignal) => Promise<void>,
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
    if (run && isUnfinished(run)) await finish({ ...run, fence }, signal)
  })
}
