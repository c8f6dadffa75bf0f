import { setTimeout as pause } from 'node:timers/promises'
import { inspectContainer, isBeingRemoved, planReadDeadline } from '../inspect/container.ts'
import { checkedId } from '../names/ids.ts'
import { isConflict, unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'

/**
 * How to remove a container. `volumes`: also its anonymous volumes. `force`: even if it is running.
 */
export interface RemovalOptions {
  force: boolean
  volumes: boolean
  signal?: AbortSignal
}

/**
 * Removes a container. If it is being removed already, waits until that has ended.
 *
 * @throws 404 if there is no such container
 * @throws 409 if it is running and `force` is not set
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
 * Returns false if the container stays. The Engine only refuses a forced removal while another one
 * is in progress, in which the container may still count as running.
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
    if (!force && !isBeingRemoved(container)) return false
    await pause(50, undefined, { signal })
  }
  return false
}
