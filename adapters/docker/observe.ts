import type Docker from 'dockerode'
import type { ObservedContainer, Snapshot } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { containerSummary, listContainers, listedContainers } from './containers.ts'
import { inspectImage } from './images.ts'
import { composeLabels } from './labels.ts'
import { observeNetworks } from './networks.ts'
import { listVolumes, volumeSummaries } from './volumes.ts'

/** Everything of a project, from three lists of the Engine. */
export async function observeProject(client: EngineClient, project: string): Promise<Snapshot> {
  const label = [ofProject(project)]
  const [containers, networks, volumes] = await Promise.all([
    projectContainers(client, project),
    observeNetworks(client, { label }),
    listVolumes(client, { label }).then(volumeSummaries),
  ])
  return {
    ...{ project, containers, networks },
    volumes: volumes.map(({ name, labels }) => ({ name, labels })),
  }
}

/** The containers of a project by name. */
export async function projectContainers(
  client: EngineClient,
  project: string,
): Promise<ObservedContainer[]> {
  const label = [ofProject(project), composeLabels.configHash]
  const listed = listedContainers(await listContainers(client, { label }))
  const forged = await forgedAmong(client, listed)
  return listed
    .filter((container) => !forged.has(container))
    .map(observedContainer)
    .sort(byName)
}

/**
 * Returns the containers whose project labels come from their image. Anyone can run such a
 * container and pass it off as part of a project. A container that was created for a project has
 * the id of its image in a label, which no image can contain; the images of all others are
 * inspected.
 */
async function forgedAmong(client: EngineClient, listed: readonly Docker.ContainerInfo[]) {
  const unproven = listed.filter(({ Labels, ImageID }) => Labels[composeLabels.image] !== ImageID)
  const ids = [...new Set(unproven.map(({ ImageID }) => ImageID))]
  const images = await Promise.all(ids.map((id) => inspectImage(client, id)))
  const labelled = new Set(
    images.flatMap((image) => (image?.Config?.Labels?.[composeLabels.configHash] ? image.Id : [])),
  )
  return new Set(unproven.filter(({ ImageID }) => labelled.has(ImageID)))
}

const ofProject = (project: string) => `${composeLabels.project}=${project}`

function observedContainer(container: Docker.ContainerInfo): ObservedContainer {
  const { id, name, labels, state, health, exitCode, imageId, ports } = containerSummary(container)
  const networks = Object.entries(container.NetworkSettings?.Networks ?? {})
  return {
    ...{ id, name, labels, state, health, exitCode, imageId, ports },
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
