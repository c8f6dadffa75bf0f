import { ignoreError } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { recordStop, removeStop } from './known-stops.ts'

/** A container that a user stops. */
export interface ContainerToStop {
  hostId: string
  engine: Engine
  id: string
  /** The name of the user. */
  by: string
}

/**
 * Records who stops a container, then calls `stop`. The record is written first, so that no
 * observer takes the end of the container for a failure.
 *
 * @throws 404 if there is no such container; rethrows the errors of `stop`
 */
export async function withRecordedStop<T>(
  { hostId, engine, id, by }: ContainerToStop,
  ports: Needs<'hostStops' | 'clock'>,
  stop: () => Promise<T>,
): Promise<T> {
  const container = await engine.container(id)
  const { state, startedAt } = container
  if (state !== 'running' && state !== 'paused' && state !== 'restarting') return stop()
  await recordStop(hostId, container.id, { startedAt, by, at: ports.clock.now() }, ports)
  try {
    return await stop()
  } catch (error) {
    // A container that goes on and fails later has not been stopped.
    await removeStop(hostId, container.id, ports).catch(ignoreError('remove the record of a stop'))
    throw error
  }
}
