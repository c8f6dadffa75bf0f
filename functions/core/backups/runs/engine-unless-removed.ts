import { Failure } from '../../errors.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'

/** Returns the Engine of a host, or undefined if the host was removed from the service. */
export async function engineUnlessRemoved(
  hostId: string,
  { engines }: Needs<'engines'>,
): Promise<Engine | undefined> {
  try {
    return await engines.on(hostId)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined
    throw error
  }
}
