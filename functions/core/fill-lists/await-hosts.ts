import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { type Host, isReachable } from '../records/host.ts'

/** Agents connect again within this time after a start of the service. Milliseconds. */
const agentsWithin = 45_000
/** Milliseconds between two questions whether they have. */
const pause = 2000

/** Waits until the Engines of all hosts respond, but not long. */
export async function awaitHosts(
  signal: AbortSignal,
  ports: Needs<'clock' | 'engines' | 'hosts'>,
): Promise<void> {
  const { clock, engines } = ports
  const giveUpAt = clock.monotonic() + agentsWithin
  const responds = async ({ id }: Host) => {
    try {
      await (await engines.on(id)).info()
      return true
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return false
    }
  }
  for (;;) {
    const hosts = (await ports.hosts.list()).filter(isReachable)
    const responding = await Promise.all(hosts.map(responds))
    if (!responding.includes(false) || clock.monotonic() >= giveUpAt || signal.aborted) return
    await clock.sleep(pause, signal)
  }
}
