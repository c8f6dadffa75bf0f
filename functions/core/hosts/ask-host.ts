import type { Engine } from '../engine/engine.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'

/** Milliseconds that a host has to answer where many are asked. */
const hostDeadline = 3_000

/**
 * What a host's Engine answers. Rejects as the Engine does, and with a `Failure` 500 when that takes longer than a host has,
 * in milliseconds.
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
