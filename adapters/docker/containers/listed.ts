import { setTimeout as pause } from 'node:timers/promises'
import type Docker from 'dockerode'
import { notFound } from '../../../functions/core/errors.ts'
import type { ContainerSummary } from '../../../functions/core/records/container.ts'
import { inspectContainer, listContainers } from '../inspect/container.ts'
import { isHelper } from '../names/labels.ts'
import { containerList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import { type OwnLabels, ownLabels } from './own-labels.ts'
import { containerSummary } from './summary.ts'

/**
 * Returns the containers in the Engine's list, sorted by name, without the helpers of this adapter.
 */
export async function containerSummaries(
  text: string,
  withOwnLabels: OwnLabels,
): Promise<ContainerSummary[]> {
  return (await listedContainers(text, withOwnLabels))
    .map(containerSummary)
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/**
 * Returns the entries of the Engine's list without the helpers of this adapter, and without labels
 * of docker compose that were inherited from images.
 */
export async function listedContainers(
  text: string,
  withOwnLabels: OwnLabels,
): Promise<Docker.ContainerInfo[]> {
  const all = parsedAs<Docker.ContainerInfo[]>(text, containerList)
  return withOwnLabels(all.filter(({ Names, Labels }) => !isHelper(Names[0] ?? '', Labels)))
}

/**
 * Returns the list entry of one container.
 *
 * @throws 404 if there is no such container
 */
export async function summaryOf(client: EngineClient, id: string): Promise<ContainerSummary> {
  const text = await listContainers(client, { id: [id] })
  const [summary] = await containerSummaries(text, ownLabels(client))
  if (!summary) throw notFound(`No container has the ID ${id}`)
  return summary
}

/** Milliseconds between two reads of a list that lags behind, and how often it is read. */
const lagPause = 50
const lagReads = 40

/**
 * Returns the list entry of a container after an action. On newer Engines (seen with 28) the list
 * can show the state before the action for a moment, so it is read again until it agrees with the
 * details, for two seconds at most.
 *
 * @throws 404 if there is no such container
 */
export async function summaryAfterAction(
  client: EngineClient,
  id: string,
): Promise<ContainerSummary> {
  for (let reads = 1; ; reads += 1) {
    const { State } = await inspectContainer(client, id)
    const summary = await summaryOf(client, id)
    if (summary.state === State.Status || reads === lagReads) return summary
    await pause(lagPause)
  }
}
