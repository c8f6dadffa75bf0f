import { setTimeout as pause } from 'node:timers/promises'
import type { EngineClient } from './client.ts'
import { inspectContainer, planReadDeadline } from './containers.ts'
import { isConflict, unlessMissing } from './errors.ts'
import { checkedId } from './ids.ts'

/** How a container is removed. `volumes`: its anonymous volumes too. `force`: also when it runs. */
export interface RemovalOptions {
  force: boolean
  volumes: boolean
  signal?: AbortSignal
}

/**
 * Removes a container. When another removal of it is under way, waits for that one's end. Throws a `Failure` 404 for one
 * that is not there and 409 for one that runs, unless forced.
 */
export async function removeContainer(
  client: EngineClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const path = `/containers/${checkedId('container', id)}`
  const { force, volumes, signal } = options
  try {
    await client.json({
      method: 'DELETE',
      path,
      query: { force, v: volumes },
      signal,
      deadline: 60_000,
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    if (!(await goesAway(client, id, options))) throw error
  }
}

/**
 * False for a container that stays. A forced removal is refused for nothing else than another one under way, in which the
 * container still counts as running.
 */
async function goesAway(
  client: EngineClient,
  id: string,
  { force, signal }: RemovalOptions,
): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    const options = { signal, deadline: planReadDeadline }
    const container = await unlessMissing(inspectContainer(client, id, options))
    if (!container) return true
    const { State } = container
    if (!force && State.Status !== 'removing' && !State.Dead) return false
    await pause(50, undefined, { signal })
  }
  return false
}
