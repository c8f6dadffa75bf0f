import { Failure, type Reason } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { callHost } from './call-host.ts'

/** Milliseconds. Longer than the deadline of a short call, whose error says more. */
const deadline = 10_000

/**
 * The reasons that make a host unreachable. `timeout` is missing: the containers of a slow host can
 * still be removed.
 */
const gone: ReadonlySet<Reason | undefined> = new Set<Reason>([
  'host-offline',
  'host-revoked',
  'engine-failed',
])

/** A call may also fail while the Engine restarts, so it counts only if this many fail. */
const failuresMin = 3
/** The time between two calls. Milliseconds. */
const pause = 2_000

/**
 * Returns whether nothing can be done on a host: it was deleted or revoked, its agent is not
 * connected, or no Engine responds there, also not some seconds later.
 *
 * @throws 500 if the host does not respond in time, so that it is uncertain
 */
export async function isUnreachable(
  hostId: string,
  ports: Needs<'clock' | 'engines' | 'hosts'>,
): Promise<boolean> {
  for (let failures = 1; ; failures += 1) {
    try {
      await callHost(hostId, ports, (engine) => engine.info(), deadline)
      return false
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.status !== 404 && !gone.has(error.reason)) throw error
      if (error.reason !== 'engine-failed' || failures === failuresMin) return true
    }
    await ports.clock.sleep(pause)
  }
}
