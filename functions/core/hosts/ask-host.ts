import type { Engine } from '../engine/engine.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'

/** Milliseconds that each host has to answer when many are asked. */
const hostDeadline = 3_000

/**
 * Calls the Engine of a host and returns the result. Rethrows the errors of the Engine.
 *
 * @param deadline in milliseconds
 * @throws 500 if the host does not answer within the deadline
 */
export async function askHost<T>(
  hostId: string,
  { engines, clock }: Needs<'engines' | 'clock'>,
  ask: (engine: Engine) => Promise<T>,
  deadline = hostDeadline,
): Promise<T> {
  const over = new AbortController()
  const lateness = clock.sleep(deadline, over.signal).then(() => {
    throw new Failure(500, `the host did not answer within ${deadline / 1000} s`)
  })
  const late = started(lateness)
  try {
    return await Promise.race([engines.on(hostId).then(ask), late])
  } finally {
    over.abort()
  }
}
