import type Docker from 'dockerode'
import { notFound } from '../../../functions/core/errors.ts'
import { checkedId } from '../names/ids.ts'
import { isHelper } from '../names/labels.ts'
import { containerInspection } from '../responses/response-shapes.ts'
import type { ReadOptions } from '../transport/call.ts'
import type { EngineClient } from '../transport/client.ts'

/** Returns the Engine's list of containers in all states as text, narrowed by the filters. */
export function listContainers(client: EngineClient, filters?: Record<string, string[]>) {
  return client.text({ method: 'GET', path: '/containers/json', query: { all: true, filters } })
}

/** Milliseconds for a read during a plan: the Engine locks a container while it works on it. */
export const planReadDeadline = 30_000

/** Returns the Engine's details of a container. */
export function inspectContainer(
  client: EngineClient,
  id: string,
  options: ReadOptions = {},
): Promise<Docker.ContainerInspectInfo> {
  const path = `/containers/${checkedId('container', id)}/json`
  return client.json({ ...options, method: 'GET', path, shape: containerInspection })
}

/** Returns whether the Engine is removing a container, or failed while it removed it. */
export const isBeingRemoved = ({ State }: Docker.ContainerInspectInfo): boolean =>
  State.Status === 'removing' || State.Dead

/**
 * Returns the Engine's details of a container that lists show.
 *
 * @throws 404 if there is no such container, or it is a helper of this adapter
 */
export async function shownContainer(
  client: EngineClient,
  id: string,
): Promise<Docker.ContainerInspectInfo> {
  const inspected = await inspectContainer(client, id)
  if (isHelper(inspected.Name, inspected.Config.Labels)) throw notFound(`No such container: ${id}`)
  return inspected
}
