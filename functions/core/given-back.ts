import type { Needs } from './ports.ts'

/** Who takes a lease for a run. Who recovers or removes one names no run in its place, and is not waited for. */
export const holderOf = (processId: string, runId: string) => `${processId}/${runId}`
const runOf = (holder: string) => holder.slice(holder.lastIndexOf('/') + 1)

/** Who has ended gives back a moment later: looked at soon, then less often. Milliseconds. */
const pauseAfter = (tries: number) => Math.min(5 * tries, 50)
const triesMax = 45

/**
 * Tries until it gets what a lease keeps from it, as long as that lease is of a run that is told to have ended already: whoever saw
 * that may begin the next. Nothing while a run that goes on has it.
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
