import { setTimeout as pause } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ContainerState, Port } from '../../../functions/compose/snapshot.ts'
import { notFound } from '../../../functions/core/errors.ts'
import type {
  ContainerDetails,
  ContainerSummary,
} from '../../../functions/core/records/container.ts'
import { checkedId } from '../names/ids.ts'
import { composeLabels, instant, isHelper, stackOf } from '../names/labels.ts'
import { type OwnLabels, ownLabels } from '../names/own-labels.ts'
import { containerInspection, containerList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { ReadOptions } from '../transport/call.ts'
import type { EngineClient } from '../transport/client.ts'
import { failedCheck } from './failed-check.ts'

/** Returns the Engine's list of containers in all states as text, narrowed by the filters. */
export function listContainers(client: EngineClient, filters?: Record<string, string[]>) {
  return client.text({ method: 'GET', path: '/containers/json', query: { all: true, filters } })
}

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

/**
 * Returns the details of one container by id or name.
 *
 * @throws 404 if there is no such container
 */
export async function containerDetails(
  client: EngineClient,
  id: string,
): Promise<ContainerDetails> {
  const inspected = await inspectContainer(client, id)
  const summary = await summaryOf(client, inspected.Id)
  const { Config, State, HostConfig, NetworkSettings, Mounts } = inspected
  return {
    ...summary,
    // The list has the id instead if the image has lost its name.
    image: Config.Image,
    command: listOf(Config.Cmd),
    entrypoint: listOf(Config.Entrypoint),
    env: Config.Env ?? [],
    mounts: Mounts.map((mount) => ({
      type: mount.Type ?? '',
      source: mount.Name ?? mount.Source,
      destination: mount.Destination,
      read_only: !mount.RW,
    })),
    networks: Object.entries(NetworkSettings.Networks).map(([name, network]) => ({
      name,
      ip_address: network.IPAddress,
      aliases: network.Aliases ?? [],
    })),
    restartPolicy: HostConfig.RestartPolicy?.Name || 'no',
    startedAt: instant(State.StartedAt),
    finishedAt: instant(State.FinishedAt),
    exitCode: exitCodeOf(inspected),
    healthOutput: failedCheck(inspected) ?? null,
  }
}

/** Returns the exit code of a stopped container, or null if it is running or was never started. */
export function exitCodeOf({ State }: Docker.ContainerInspectInfo): number | null {
  return State.Running || !instant(State.FinishedAt) ? null : State.ExitCode
}

/** Returns a container's entry in lists. */
export function containerSummary(container: Docker.ContainerInfo): ContainerSummary {
  const labels = container.Labels ?? {}
  return {
    id: container.Id,
    name: (container.Names[0] ?? `/${container.Id.slice(0, 12)}`).slice(1),
    image: container.Image,
    imageId: container.ImageID,
    state: container.State as ContainerState,
    status: container.Status,
    health: healthOf(container.Status),
    upSeconds: upSecondsIn(container),
    exitCode: exitCodeIn(container),
    createdAt: new Date(container.Created * 1000).toISOString(),
    ports: portsOf(container.Ports),
    labels,
    stack: stackOf(labels),
    service: labels[composeLabels.service] ?? null,
    volumeNames: volumesIn(container),
    networkNames: Object.keys(container.NetworkSettings?.Networks ?? {}).sort(),
  }
}

/** Returns the names of the volumes of a container, each once. */
function volumesIn({ Mounts }: Pick<Docker.ContainerInfo, 'Mounts'>): string[] {
  const names = Mounts.flatMap(({ Type, Name }) => (Type === 'volume' && Name ? [Name] : []))
  return [...new Set(names)].sort()
}

/**
 * Returns the health from the status text, because lists have no field for it: `Up 3 minutes
 * (healthy)`, `Up 1 second (health: starting)`.
 */
export function healthOf(status: string): string | null {
  return /\((?:health: )?(starting|healthy|unhealthy)\)$/.exec(status)?.[1] ?? null
}

/** Seconds. Lists are not exact above an hour. */
const upSecondsMax = 3600

/**
 * Returns the seconds that a container has been up, at most an hour, or null if it is not running.
 * Reads the status text, because lists have no field for it: `Up Less than a second`, `Up 3
 * seconds`, `Up About a minute`, `Up 3 minutes`.
 */
export function upSecondsIn({
  State,
  Status,
}: Pick<Docker.ContainerInfo, 'State' | 'Status'>): number | null {
  if (State !== 'running' && State !== 'paused') return null
  if (/^Up Less than a second\b/.test(Status)) return 0
  if (/^Up About a minute\b/.test(Status)) return 60
  const [, number = '', unit] = /^Up (\d{1,2}) (second|minute)s?\b/.exec(Status) ?? []
  return unit ? Number(number) * (unit === 'second' ? 1 : 60) : upSecondsMax
}

/** Returns the exit code from the status text, such as `Exited (1) 2 minutes ago`. */
function exitCodeIn({ State, Status }: Docker.ContainerInfo): number | null {
  const code = /^Exited \((\d+)\)/.exec(Status)?.[1]
  return State === 'exited' && code !== undefined ? Number(code) : null
}

function portsOf(ports: Docker.Port[] | null): Port[] {
  const mapped = (ports ?? []).map((port) => ({
    private: port.PrivatePort,
    public: port.PublicPort ?? null,
    protocol: port.Type,
    ip: port.IP || null,
  }))
  // The Engine returns them in a different order each time.
  return mapped.sort((left, right) => comparePorts(left, right))
}

function comparePorts(left: Port, right: Port): number {
  const byNumber = left.private - right.private || (left.public ?? 0) - (right.public ?? 0)
  return byNumber || (`${left.protocol} ${left.ip}` < `${right.protocol} ${right.ip}` ? -1 : 1)
}

function listOf(value: string | string[] | null | undefined): string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}
