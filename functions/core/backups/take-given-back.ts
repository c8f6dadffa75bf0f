import { Failure } from '../errors.ts'
import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'

/** Who has ended gives back a moment later. Milliseconds. */
const pause = 50
const triesMax = 40

/** Who takes a lease for a run. Who recovers or removes one names no run in its place, and is not waited for. */
export const holderOf = (processId: string, runId: string) => `${processId}/${runId}`
const runOf = (holder: string) => holder.slice(holder.lastIndexOf('/') + 1)

/**
 * Takes a lease of backups. Nothing while another has it; one whose run is told to have ended already is waited for, as whoever saw that
 * may begin the next.
 */
export async function takeGivenBack(
  name: string,
  holder: string,
  milliseconds: number,
  ports: Needs<'backupRuns' | 'clock' | 'leases'>,
): Promise<Lease | undefined> {
  for (let tries = 1; ; tries += 1) {
    const lease = await ports.leases.take(name, holder, milliseconds)
    if (lease || tries === triesMax || !(await isGivenBack(name, ports))) return lease
    await ports.clock.sleep(pause)
  }
}

async function isGivenBack(
  name: string,
  { backupRuns, leases }: Needs<'backupRuns' | 'leases'>,
): Promise<boolean> {
  const lease = await leases.find(name)
  if (!lease) return true
  const run = await backupRuns.find(runOf(lease.holder)).catch((error) => {
    // On a host out of the caller's scope: he is told nothing of it.
    if (error instanceof Failure && error.status === 403) return undefined
    throw error
  })
  return run !== undefined && run.status !== 'running'
}
