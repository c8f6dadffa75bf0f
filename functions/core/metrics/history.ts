import type { ContainerSample } from '../engine/engine.ts'
import type { HostFigures } from './figures.ts'

/** How long what was sampled is kept. Milliseconds. */
export const historyKept = 3_600_000

/** What a container used at a moment. Times are milliseconds since the epoch, sizes bytes, as in `ContainerUsage`. */
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

/** A host at a moment; figures are null while it does not answer. */
export interface HostPoint extends HostFigures {
  at: number
  up: boolean
  /** Containers. */
  running: number
  total: number
}

/** A sample of a host: its own figures, and by container (see `sampledId`) what those that run use. */
export interface HostSample {
  host: HostPoint
  containers: { id: string; point: Omit<ContainerPoint, 'at'> }[]
}

/** By how much of its id a container is known in what was sampled: sixteen digits tell a host's containers apart. */
export const sampledId = (id: string) => id.slice(0, 16)

/** What was sampled of hosts and containers in the last hour; older things are not found any more. */
export interface MetricHistory {
  add(hostId: string, sample: HostSample): Promise<void>
  /** Oldest first. */
  ofHost(hostId: string, since: number): Promise<HostPoint[]>
  /** Oldest first; none for a container that nobody knows. */
  ofContainer(hostId: string, containerId: string, since: number): Promise<ContainerPoint[]>
  /** What was sampled last, and when; of the containers those that were sampled with it. */
  latest(hostId: string): Promise<HostSample | undefined>
  /** When the host was looked at last. */
  lastAt(hostId: string): Promise<HostPoint | undefined>
}

/** What is kept of a look at a host that answered. */
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

/** What is kept of one that did not. */
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
