import type { ContainerAction } from '../../functions/core/engine/engine.ts'
import { Failure } from '../../functions/core/errors.ts'
import { atLeast, type EngineClient } from './client.ts'
import { inspectContainer, planReadDeadline } from './containers.ts'
import { checkedId } from './ids.ts'

/** Milliseconds that the Engine gets on top of the time that a container has to end. */
const stopMargin = 10_000

/** Does an action on a container and is content when it was so already: started, stopped, not there to be killed. */
export async function actOn(
  client: EngineClient,
  id: string,
  action: ContainerAction,
): Promise<void> {
  switch (action.kind) {
    case 'start':
      return startContainer(client, id)
    case 'stop':
      return stopContainer(client, id, { timeoutSeconds: action.timeoutSeconds })
    case 'restart':
      return restartContainer(client, id, { timeoutSeconds: action.timeoutSeconds })
    case 'kill':
      return killContainer(client, id, action.signal)
  }
}

/** How a container is ended, and the way for the caller to stop waiting for it. */
export interface EndOptions {
  timeoutSeconds?: number
  /** Left to the container's own on Engines before API 1.42. */
  stopSignal?: string
  signal?: AbortSignal
}

/** Starts a container; a running one stays as it is. No deadline of ours: an Engine may have images to unpack. */
export async function startContainer(
  client: EngineClient,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.json({ method: 'POST', path: `${pathOf(id)}/start`, signal, deadline: 60_000 })
}

/** Stops a container within its time, then by force; a stopped one stays as it is. */
export async function stopContainer(client: EngineClient, id: string, options: EndOptions = {}) {
  const hasSignal = options.stopSignal && atLeast(await client.apiVersion(), '1.42')
  await client.json({
    method: 'POST',
    path: `${pathOf(id)}/stop`,
    query: { t: options.timeoutSeconds, signal: hasSignal ? options.stopSignal : undefined },
    signal: options.signal,
    deadline: await endDeadline(client, id, options),
  })
}

/** Stops and starts a container; starts a stopped one. */
export async function restartContainer(client: EngineClient, id: string, options: EndOptions = {}) {
  await client.json({
    method: 'POST',
    path: `${pathOf(id)}/restart`,
    query: { t: options.timeoutSeconds },
    signal: options.signal,
    deadline: await endDeadline(client, id, options),
  })
}

async function killContainer(client: EngineClient, id: string, signal?: string): Promise<void> {
  try {
    await client.json({
      method: 'POST',
      path: `${pathOf(id)}/kill`,
      query: { signal },
      deadline: stopMargin,
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409) throw error
    const { State } = await inspectContainer(client, id)
    if (State.Running) throw error
  }
}

/** Without a time in the call the container's own counts, and that may be long. */
async function endDeadline(client: EngineClient, id: string, options: EndOptions): Promise<number> {
  if (options.timeoutSeconds !== undefined) return options.timeoutSeconds * 1000 + stopMargin
  const { Config } = await inspectContainer(client, id, {
    signal: options.signal,
    deadline: planReadDeadline,
  })
  return ((Config as { StopTimeout?: number }).StopTimeout ?? 10) * 1000 + stopMargin
}

const pathOf = (id: string) => `/containers/${checkedId('container', id)}`
