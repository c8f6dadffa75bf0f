import type Docker from 'dockerode'
import type { ObservedNetwork } from '../../../functions/compose/snapshot.ts'
import type { EngineBody, Step } from '../../../functions/compose/step.ts'
import { conflict, Failure } from '../../../functions/core/errors.ts'
import type { NetworkSummary } from '../../../functions/core/records/host-engine.ts'
import { inspectContainer } from '../inspect/container.ts'
import { checkedId, checkedName } from '../names/ids.ts'
import { composeLabels, stackOf } from '../names/labels.ts'
import { isConflict, unlessMissing } from '../responses/errors.ts'
import { createdNetwork, networkInspection, networkList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** Returns the Engine's list of networks as text, narrowed by the filters. */
export function listNetworks(client: EngineClient, filters?: Record<string, string[]>) {
  return client.text({ method: 'GET', path: '/networks', query: { filters } })
}

/** Returns the networks in the Engine's list, sorted by name. */
export function networkSummaries(text: string): NetworkSummary[] {
  return parsedAs<Docker.NetworkInspectInfo[]>(text, networkList)
    .map((network) => ({
      id: network.Id,
      name: network.Name,
      driver: network.Driver,
      scope: network.Scope,
      internal: network.Internal,
      createdAt: network.Created,
      labels: network.Labels ?? {},
      stack: stackOf(network.Labels ?? null),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/**
 * Returns the networks that match the filters with their attached containers. Networks that are
 * removed meanwhile are left out.
 */
export async function observeNetworks(
  client: EngineClient,
  filters: Record<string, string[]>,
): Promise<ObservedNetwork[]> {
  const found = networkSummaries(await listNetworks(client, filters))
  const inspected = await Promise.all(found.map(({ id }) => findNetwork(client, id)))
  return inspected.filter((network) => network !== undefined)
}

/**
 * Creates a network. If another manager has created one with that name, project and key meanwhile,
 * that one is used.
 *
 * @throws 409 if the name belongs to another network
 */
export async function createNetwork(
  client: EngineClient,
  name: string,
  body: EngineBody,
  signal?: AbortSignal,
): Promise<{ id: string; warnings: string[] }> {
  try {
    const { Id, Warning } = await client.json<{ Id: string; Warning?: string }>({
      method: 'POST',
      path: '/networks/create',
      // Otherwise the Engine would create a second network of the same name.
      body: { CheckDuplicate: true, ...body, Name: checkedName('network', name) },
      signal,
      deadline: 30_000,
      shape: createdNetwork,
    })
    return { id: Id, warnings: Warning ? [Warning] : [] }
  } catch (error) {
    if (!isConflict(error)) throw withSubnets(error, body)
    const existing = (await observeNetworks(client, { name: [name] })).find(
      (network) => network.name === name,
    )
    // The Engine refuses for other reasons too, such as overlapping addresses.
    if (!existing) throw withSubnets(error, body)
    const labels = (body.Labels ?? {}) as Record<string, string>
    const same = [composeLabels.project, composeLabels.network].every(
      (label) => labels[label] !== undefined && existing.labels[label] === labels[label],
    )
    if (same) return { id: existing.id, warnings: [] }
    throw conflict(`A network named ${name} already exists and belongs to something else`, {
      reason: 'exists',
      cause: error,
    })
  }
}

/** Returns an error about subnets that overlap with the requested subnets. */
function withSubnets(error: unknown, { IPAM }: EngineBody): unknown {
  if (!(error instanceof Failure) || !error.message.includes('the subnet overlaps')) return error
  const pools = (IPAM as { Config?: { Subnet?: string }[] } | undefined)?.Config ?? []
  const subnets = pools.flatMap(({ Subnet }) => Subnet ?? [])
  if (subnets.length === 0) return error
  const message = error.message.replace('the subnet', `the subnet ${subnets.join(', ')}`)
  return new Failure(error.status, message, { cause: error })
}

/** Returns the network by id or name with its containers, or undefined. */
export async function findNetwork(
  client: EngineClient,
  id: string,
): Promise<ObservedNetwork | undefined> {
  const path = `/networks/${checkedId('network', id)}`
  const network = await unlessMissing(
    client.json<Docker.NetworkInspectInfo>({ method: 'GET', path, shape: networkInspection }),
  )
  return (
    network && {
      id: network.Id,
      name: network.Name,
      labels: network.Labels ?? {},
      containers: Object.keys(network.Containers ?? {}),
    }
  )
}

type ConnectStep = Extract<Step, { action: 'connect' | 'disconnect' }>

/**
 * Connects a container, and does nothing if it is connected. The step's body is the endpoint's
 * configuration.
 */
export async function connectNetwork(
  client: EngineClient,
  step: Extract<ConnectStep, { action: 'connect' }>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const path = `/networks/${checkedId('network', step.name)}/connect`
    await client.json({
      method: 'POST',
      path,
      body: { Container: step.container, EndpointConfig: step.body },
      signal,
      deadline: 30_000,
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    if (!(await isConnected(client, step))) throw error
  }
}

/** Disconnects a container. Does nothing if it is not connected or gone. */
export async function disconnectNetwork(
  client: EngineClient,
  step: Extract<ConnectStep, { action: 'disconnect' }>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const path = `/networks/${checkedId('network', step.name)}/disconnect`
    const body = { Container: step.container, Force: true }
    await client.json({ method: 'POST', path, body, signal, deadline: 30_000 })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.status === 404 || !(await isConnected(client, step))) return
    throw error
  }
}

async function isConnected(client: EngineClient, step: ConnectStep): Promise<boolean> {
  const container = await inspectContainer(client, step.container)
  const connected = Object.entries(container.NetworkSettings.Networks)
  return connected.some(([name, { NetworkID }]) => name === step.name || NetworkID === step.name)
}
