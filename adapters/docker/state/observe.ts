import type Docker from 'dockerode'
import type { ObservedContainer, Snapshot } from '../../../functions/compose/snapshot.ts'
import { listedContainers } from '../containers/listed.ts'
import { ownLabels } from '../containers/own-labels.ts'
import { containerSummary } from '../containers/summary.ts'
import { listContainers } from '../inspect/container.ts'
import { composeLabels } from '../names/labels.ts'
import { observeNetworks } from '../networks-and-volumes/networks.ts'
import { listVolumes, volumeSummaries } from '../networks-and-volumes/volumes.ts'
import type { EngineClient } from '../transport/client.ts'

/** Returns the resources of a project, from three lists of the Engine. */
export async function observeProject(client: EngineClient, project: string): Promise<Snapshot> {
  const label = [ofProject(project)]
  const [containers, networks, volumes] = await Promise.all([
    projectContainers(client, project),
    observeNetworks(client, { label }),
    listVolumes(client, { label }).then(volumeSummaries),
  ])
  return {
    project,
    containers,
    networks,
    volumes: volumes.map(({ name, labels }) => ({ name, labels })),
  }
}

/** Returns the containers of a project, sorted by name. */
export async function projectContainers(
  client: EngineClient,
  project: string,
): Promise<ObservedContainer[]> {
  const label = [ofProject(project), composeLabels.configHash]
  const listed = await listedContainers(await listContainers(client, { label }), ownLabels(client))
  return listed
    .filter(({ Labels }) => Labels[composeLabels.project] === project && isMade(Labels))
    .map(observedContainer)
    .sort(byName)
}

/** Returns whether a compose tool created the container; docker compose uses the same test. */
const isMade = (labels: Record<string, string>) => labels[composeLabels.configHash] !== undefined

const ofProject = (project: string) => `${composeLabels.project}=${project}`

function observedContainer(container: Docker.ContainerInfo): ObservedContainer {
  const summary = containerSummary(container)
  const { id, name, labels, state, health, exitCode, image, imageId, ports } = summary
  const networks = Object.entries(container.NetworkSettings?.Networks ?? {})
  return {
    id,
    name,
    labels,
    state,
    health,
    exitCode,
    imageId,
    image,
    ports,
    service: labels[composeLabels.service] ?? '',
    number: Number(labels[composeLabels.number] ?? 0) || 0,
    oneoff: labels[composeLabels.oneoff] === 'True',
    networks: Object.fromEntries(networks.map(([network, { NetworkID }]) => [network, NetworkID])),
    mounts: container.Mounts.map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Name ?? '',
      source: mount.Source,
      destination: mount.Destination,
      readOnly: !mount.RW,
    })),
  }
}

const byName = (one: ObservedContainer, other: ObservedContainer) =>
  one.name < other.name ? -1 : 1
