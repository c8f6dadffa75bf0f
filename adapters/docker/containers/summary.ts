import type Docker from 'dockerode'
import type { ContainerState, Port } from '../../../functions/compose/snapshot.ts'
import type { ContainerSummary } from '../../../functions/core/records/container.ts'
import { composeLabels, stackOf } from '../names/labels.ts'

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
