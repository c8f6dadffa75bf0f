import { Failure } from '../../errors.ts'
import { acquireWithRetry } from '../../leases/acquire-with-retry.ts'
import { leaseTime } from '../../leases/lease-renewal.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'

/**
 * Acquires a lease of a backup or job. Returns undefined while a run that has not ended holds it.
 */
export function acquireRunLease(
  name: string,
  holder: string,
  ports: Needs<'backupRuns' | 'clock' | 'leases'>,
): Promise<Lease | undefined> {
  const attempt = () => ports.leases.acquire(name, holder, leaseTime)
  return acquireWithRetry(name, attempt, (id) => hasEnded(id, ports), ports)
}

async function hasEnded(id: string, { backupRuns }: Needs<'backupRuns'>): Promise<boolean> {
  const run = await backupRuns.find(id).catch((error) => {
    // The run is on a host outside the caller's scope, so the caller learns nothing about it.
    if (error instanceof Failure && error.status === 403) return undefined
    throw error
  })
  return run !== undefined && run.status !== 'running'
}
