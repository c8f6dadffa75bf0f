import type { ContainerSample } from '../records/container.ts'
import type { HostFigures, HostSample } from '../records/metrics.ts'

/** How long samples are kept. Milliseconds. */
export const historyRetention = 3_600_000

/**
 * Returns the part of a container ID that samples use. Sixteen digits tell the containers of a host
 * apart.
 */
export const sampledId = (id: string) => id.slice(0, 16)

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

/** Returns the sample of a host that did not respond. */
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
