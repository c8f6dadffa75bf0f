import { setTimeout as pause } from 'node:timers/promises'
import { conflict, Failure } from '../../../functions/core/errors.ts'
import { inspectContainer, isBeingRemoved } from '../inspect/container.ts'
import { checkedId } from '../names/ids.ts'
import { unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { findNetwork } from './networks.ts'

/**
 * Milliseconds between tries: the Engine releases endpoints a while after their containers are
 * gone.
 */
const waits = [20, 40, 80, 160, 320, 640, 1000]

/**
 * Removes a network, and does nothing if it is gone. While the Engine still counts endpoints of
 * removed containers, it retries, and finally disconnects these endpoints by force.
 *
 * @throws 409 at once if containers are attached; the message names them
 */
export async function removeNetwork(
  client: EngineClient,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = `/networks/${checkedId('network', id)}`
  for (const wait of [...waits, 0]) {
    const refusal = await tryRemove(client, path, signal)
    if (!refusal) return
    const network = await findNetwork(client, id)
    if (!network) return
    const users = await living(client, network.containers)
    if (users.length > 0) {
      throw conflict(`The network ${network.name} is still in use by ${users.join(', ')}`, {
        reason: 'in-use',
        cause: refusal,
      })
    }
    if (wait === 0) {
      throw conflict(`The network ${network.name} still has endpoints on the Engine`, {
        reason: 'in-use',
        cause: refusal,
      })
    }
    if (wait >= 320) await disconnectAll(client, path, network.containers)
    await pause(wait, undefined, { signal })
  }
}

async function tryRemove(client: EngineClient, path: string, signal?: AbortSignal) {
  try {
    await client.json({ method: 'DELETE', path, signal, deadline: 30_000 })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.status === 404) return undefined
    // The Engine's 403 is a 409 here; some versions respond with 500.
    if (error.status === 409) return error
    throw error
  }
}

async function living(client: EngineClient, ids: string[]): Promise<string[]> {
  const names = await Promise.all(
    ids.map(async (id) => {
      const found = await unlessMissing(inspectContainer(client, id))
      if (!found || isBeingRemoved(found)) return ''
      return found.Name.slice(1)
    }),
  )
  return names.filter((name) => name !== '')
}

async function disconnectAll(client: EngineClient, path: string, ids: string[]): Promise<void> {
  const body = (id: string) => ({ Container: id, Force: true })
  await Promise.allSettled(
    ids.map((id) => client.json({ method: 'POST', path: `${path}/disconnect`, body: body(id) })),
  )
}
