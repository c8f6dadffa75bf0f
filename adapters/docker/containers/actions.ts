import { Failure } from '../../../functions/core/errors.ts'
import type { ContainerAction } from '../../../functions/core/records/container.ts'
import { inspectContainer, planReadDeadline } from '../inspect/container.ts'
import { checkedId } from '../names/ids.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import { explainMissing } from './missing-for-start.ts'

/** Milliseconds that the Engine gets in addition to the container's stop timeout. */
const stopMargin = 10_000

/** Executes an action on a container. Does nothing if the container is in that state already. */
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

/** How to stop a container, and the signal that stops waiting for it. */
export interface EndOptions {
  timeoutSeconds?: number
  /** Ignored on Engines before API 1.42: the container's own stop signal is used. */
  stopSignal?: string
  signal?: AbortSignal
}

/**
 * Starts a container, or does nothing if it is running. The deadline is long because the Engine may
 * have to unpack images.
 */
export async function startContainer(
  client: EngineClient,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const call = { method: 'POST', path: `${pathOf(id)}/start`, signal, deadline: 60_000 } as const
  await explainMissing(client, id, client.json(call))
}

/** Freezes the processes of a container, or lets them continue. */
export async function pauseContainer(
  client: EngineClient,
  id: string,
  action: 'pause' | 'unpause',
  signal?: AbortSignal,
): Promise<void> {
  await client.json({
    method: 'POST',
    path: `${pathOf(id)}/${action}`,
    signal,
    deadline: stopMargin,
  })
}

/** Stops a container, by force after its timeout. Does nothing if it is stopped. */
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

/** Restarts a container, or starts it if it is stopped. */
export async function restartContainer(client: EngineClient, id: string, options: EndOptions = {}) {
  const call = {
    method: 'POST',
    path: `${pathOf(id)}/restart`,
    query: { t: options.timeoutSeconds },
    signal: options.signal,
    deadline: await endDeadline(client, id, options),
  } as const
  await explainMissing(client, id, client.json(call))
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

/**
 * Returns the deadline of a stop. Without a timeout in the call the container's own applies, which
 * may be long.
 */
async function endDeadline(client: EngineClient, id: string, options: EndOptions): Promise<number> {
  if (options.timeoutSeconds !== undefined) return waitOf(options.timeoutSeconds)
  const { Config } = await inspectContainer(client, id, {
    signal: options.signal,
    deadline: planReadDeadline,
  })
  return waitOf((Config as { StopTimeout?: number }).StopTimeout ?? 10)
}

/** For a negative timeout the Engine waits without a limit; the call does not. */
const waitOf = (seconds: number) => Math.max(seconds, 0) * 1000 + stopMargin

const pathOf = (id: string) => `/containers/${checkedId('container', id)}`
