import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'

/**
 * Removes a one-off container with its anonymous volumes, unless it is to be kept and was started,
 * and then its record. A container that is gone already is not an error.
 */
export async function removeOneOff(
  oneOff: OneOff,
  engine: Engine,
  { oneOffs }: Needs<'oneOffs'>,
): Promise<void> {
  if (!(oneOff.keep && (await wasStarted(oneOff, engine)))) {
    const about = { index: 0, after: [], reason: 'run has ended', service: oneOff.service }
    const what = { kind: 'container', name: oneOff.container, volumes: true, force: true } as const
    const signal = new AbortController().signal
    await engine.execute({ ...about, ...what, action: 'remove' }, signal)
  }
  await oneOffs.remove(oneOff.id)
}

async function wasStarted({ container }: OneOff, engine: Engine): Promise<boolean> {
  try {
    return (await engine.container(container)).startedAt !== null
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return false
    throw error
  }
}
