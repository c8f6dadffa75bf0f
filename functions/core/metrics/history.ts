import type { ContainerSample } from '../engine/engine.ts'
import type { HostFigures } from './figures.ts'

/** How long samples are kept. Milliseconds. */
export const historyKept = 3_600_000

/**
 * The resource usage of a container at one moment. Times are milliseconds since the epoch, sizes
 * bytes, as in `ContainerUsage`.
 */
export interface ContainerPoint {
  at: number
  cpuPercent: number | null
  memory: number
  memoryPercent: number
  networkRx: number
  networkTx: number
  blockRead: number
  blockWrite: number
  pids: number
}

/** The state of a host at one moment. The figures are null if it did not answer. */
export interface HostPoint extends HostFigures {
  at: number
  up: boolean
  /** The number of running containers. */
  running: number
  total: number
}

/** A sample of a host: its own figures and those of its running containers, by `sampledId`. */
export interface HostSample {
  host: HostPoint
  containers: { id: string; point: Omit<ContainerPoint, 'at'> }[]
}

/**
 * Returns the part of a container ID that samples use. Sixteen digits tell the containers of a host
 * apart.
 */
export const sampledId = (id: string) => id.slice(0, 16)

/** The samples of hosts and containers. Samples older than an hour are not returned. */
export interface MetricHistory {
  add(hostId: string, sample: HostSample): Promise<void>
  /** Returns the samples of a host, oldest first. */
  ofHost(hostId: string, since: number): Promise<HostPoint[]>
  /** Returns the samples of a container, oldest first; an empty list for an unknown container. */
  ofContainer(hostId: string, containerId: string, since: number): Promise<ContainerPoint[]>
  /** Returns the latest sample of a host, with the containers of that sample only. */
  latest(hostId: string): Promise<HostSample | undefined>
  /** Returns the host's part of its latest sample. */
  lastAt(hostId: string): Promise<HostPoint | undefined>
}

/** Returns the sample of a host that answered. */
export function sampleOf(
  at: number,
  containers: readonly ContainerSample[],
  figures: HostFigures | undefined,
): HostSample {
  const running = containers.filter(({ state }) => state === 'running').length
  const host = { ...(figures ?? noFigures), at, up: true, running, total: containers.length }
  return {
    host,
    containers: containers.flatMap(({ id, usage }) =>
      usage ? [{ id: sampledId(id), point: pointOf(usage) }] : [],
    ),
  }
}

/** Returns the sample of a host that did not answer. */
export const downSample = (at: number): HostSample => ({
  host: { ...noFigures, at, up: false, running: 0, total: 0 },
  containers: [],
})

const noFigures: HostFigures = {
  cpuPercent: null,
  memory: null,
  memoryTotal: null,
  disk: null,
  diskTotal: null,
}

function pointOf({ memoryLimit: _, ...point }: NonNullable<ContainerSample['usage']>) {
  return point
}
