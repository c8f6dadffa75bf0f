import type Docker from 'dockerode'
import type {
  ContainerState,
  ContainerSummary,
  ObservedContainer,
  Snapshot,
} from '../../functions/core/engine/engine.ts'
import { Failure } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { containerSummaries, exitCodeOf, inspectContainer, listContainers } from './containers.ts'
import type { EngineEvents } from './events.ts'
import { composeLabels, instant } from './labels.ts'
import { observeNetworks } from './networks.ts'
import { listVolumes, volumeSummaries } from './volumes.ts'

/** Observes projects: the lists are asked each time, inspections kept as long as the Engine tells of changes. */
export interface Observer {
  observe(project: string): Promise<Snapshot>
  /** Forgets the inspections kept: called around each change of our own. */
  forget(): void
}

type Facts = Omit<ObservedContainer, 'ports'>

/** The observer of one Engine. */
export function observer(client: EngineClient, events: EngineEvents): Observer {
  const kept = new Map<string, Promise<Facts | undefined>>()
  events.listen((change) => {
    if (!change) kept.clear()
    else if (change.kind === 'container') kept.delete(change.id)
    else if (change.container) kept.delete(change.container)
  })

  async function factsOf(summary: ContainerSummary): Promise<Facts | undefined> {
    const earlier = kept.get(summary.id)
    const facts = await earlier
    if (facts?.state === summary.state && facts.health === summary.health) return facts
    const reading = inspected(client, summary.id)
    if (events.live()) {
      kept.set(summary.id, reading)
      reading.catch(() => kept.delete(summary.id))
    }
    return reading
  }

  return {
    async observe(project) {
      const label = [`${composeLabels.project}=${project}`]
      const [containers, networks, volumes] = await Promise.all([
        listContainers(client, { label: [...label, composeLabels.configHash] }).then((text) =>
          Promise.all(
            containerSummaries(text).map(async (summary) => {
              const facts = await factsOf(summary)
              return facts && { ...facts, ports: summary.ports }
            }),
          ),
        ),
        observeNetworks(client, { label }),
        listVolumes(client, { label }).then(volumeSummaries),
      ])
      return {
        project,
        containers: containers.filter((container) => container !== undefined),
        networks,
        volumes: volumes.map(({ name, labels }) => ({ name, labels })),
      }
    },
    forget: () => kept.clear(),
  }
}

/** Undefined for a container that went between the list and the look at it. */
async function inspected(client: EngineClient, id: string): Promise<Facts | undefined> {
  try {
    return factsFrom(await inspectContainer(client, id))
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined
    throw error
  }
}

function factsFrom(container: Docker.ContainerInspectInfo): Facts {
  const { Config, State } = container
  const labels = Config.Labels ?? {}
  const networks = Object.entries(container.NetworkSettings.Networks ?? {})
  return {
    id: container.Id,
    name: container.Name.slice(1),
    service: labels[composeLabels.service] ?? '',
    number: Number(labels[composeLabels.number] ?? 0) || 0,
    oneoff: labels[composeLabels.oneoff] === 'True',
    labels,
    state: State.Status as ContainerState,
    health: State.Running ? healthStatus(State.Health?.Status) : null,
    exitCode: exitCodeOf(container),
    image: Config.Image,
    imageId: container.Image,
    createdAt: container.Created,
    startedAt: instant(State.StartedAt),
    finishedAt: instant(State.FinishedAt),
    restarts: container.RestartCount,
    networks: Object.fromEntries(networks.map(([name, network]) => [name, network.NetworkID])),
    mounts: container.Mounts.map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Name ?? '',
      source: mount.Source,
      destination: mount.Destination,
    })),
  }
}

/** The Engine says `none` for a container without a health check. */
function healthStatus(status: string | undefined): string | null {
  return !status || status === 'none' ? null : status
}
