import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import { hostNameOf } from './host-name.ts'

/** How long a call may take if the caller does not say. Milliseconds. */
const hostDeadline = 3_000

/**
 * Calls the Engine of a host and returns the result. Rethrows the errors of the Engine.
 *
 * @param deadline in milliseconds
 * @throws 500, naming the host, if it does not respond within the deadline
 */
export async function callHost<T>(
  hostId: string,
  { engines, clock, hosts }: Needs<'engines' | 'clock' | 'hosts'>,
  call: (engine: Engine) => Promise<T>,
  deadline = hostDeadline,
): Promise<T> {
  const over = new AbortController()
  const lateness = clock.sleep(deadline, over.signal).then(async () => {
    const name = over.signal.aborted ? hostId : await hostNameOf(hostId, { hosts })
    const text = `host ${name} did not respond within ${deadline / 1000} s`
    throw new Failure(500, text, { reason: 'timeout' })
  })
  const late = markHandled(lateness)
  try {
    return await Promise.race([engines.on(hostId).then(call), late])
  } finally {
    over.abort()
  }
}
