import type { Needs } from '../ports.ts'
import { type BackupRun, isUnfinished, runLease } from './run.ts'

/**
 * Finds the runs of a kind whose process died, by their expired lease, and passes each to `finish`
 * with the fence of a new lease of `held` milliseconds.
 */
export async function takeOver(
  kind: BackupRun['kind'],
  held: number,
  ports: Needs<'background' | 'backupRuns' | 'leases'>,
  finish: (run: BackupRun) => Promise<void>,
): Promise<void> {
  const runs = await ports.backupRuns.listUnfinished()
  const ofKind = runs.filter((run) => run.kind === kind)
  await Promise.all(ofKind.map((run) => takeOne(run, held, ports, finish)))
}

async function takeOne(
  found: BackupRun,
  held: number,
  { background, backupRuns, leases }: Needs<'background' | 'backupRuns' | 'leases'>,
  finish: (run: BackupRun) => Promise<void>,
): Promise<void> {
  const name = runLease(found)
  if ((await leases.peek(name)).held) return
  const lease = await leases.acquire(name, `${background.processId}/recover ${found.id}`, held)
  if (!lease) return
  try {
    const run = await backupRuns.find(found.id)
    if (run && isUnfinished(run)) await finish({ ...run, fence: lease.fence })
  } finally {
    await leases.release(lease)
  }
}
