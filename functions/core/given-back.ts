import type { Needs } from './ports.ts'

/**
 * Returns the holder name for a lease of a run. Leases for recovery and removal name no run, so
 * `untilGivenBack` does not wait for their holders.
 */
export const holderOf = (processId: string, runId: string) => `${processId}/${runId}`
const runOf = (holder: string) => holder.slice(holder.lastIndexOf('/') + 1)

/**
 * Milliseconds before the next attempt. A run releases its lease a moment after it ends, so the
 * first retries come soon and later ones less often.
 */
const pauseAfter = (tries: number) => Math.min(5 * tries, 50)
const triesMax = 45

/**
 * Retries `attempt` while the lease is held by a run that is already reported as ended: a caller
 * who saw the end may start the next run at once. Returns undefined if a run that has not ended
 * holds the lease, or after `triesMax` attempts.
 */
export async function untilGivenBack<T>(
  lease: string,
  attempt: () => Promise<T | undefined>,
  hasEnded: (runId: string) => Promise<boolean>,
  { clock, leases }: Needs<'clock' | 'leases'>,
): Promise<T | undefined> {
  const isGivenBack = async () => {
    const held = await leases.find(lease)
    return !held || hasEnded(runOf(held.holder))
  }
  for (let tries = 1; ; tries += 1) {
    const got = await attempt()
    if (got || tries === triesMax || !(await isGivenBack())) return got
    await clock.sleep(pauseAfter(tries))
  }
}
