import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerSummary } from '../records/container.ts'
import { containerLinks, linkLabels } from './container-links.ts'

type Labels = Readonly<Record<string, string>>

/** The maximum number of images whose labels are read for one answer. */
const imagesMax = 100

/**
 * Returns the links of the running containers by container id. Labels that a container has from
 * its image make no links: who builds an image is not who writes the stack.
 *
 * @param address the name or address of the host; null if it is unknown
 */
export async function readLinks(
  hostId: string,
  containers: readonly ContainerSummary[],
  address: string | null,
  ports: Needs<'hosts' | 'engines' | 'clock'>,
): Promise<ReadonlyMap<string, string[]>> {
  const running = containers
    .filter(({ state }) => state === 'running')
    .map((container) => ({ ...container, labels: linkLabels(container.labels) }))
  const labelled = running.filter(({ labels }) => Object.keys(labels).length > 0)
  const images = await imageLabels(hostId, labelled, ports)
  return new Map(
    running.map(({ id, imageId, labels, ports: published }) => {
      const own = ownLabels(labels, images.get(imageId))
      return [id, containerLinks({ ports: published, labels: own, address })]
    }),
  )
}

async function imageLabels(
  hostId: string,
  containers: readonly ContainerSummary[],
  ports: Needs<'hosts' | 'engines' | 'clock'>,
): Promise<ReadonlyMap<string, Labels>> {
  const ids = [...new Set(containers.map(({ imageId }) => imageId))].slice(0, imagesMax)
  if (ids.length === 0) return new Map()
  const unread = ignoreFailure('read the labels of images')
  const wanted = { networks: [], volumes: [], images: ids }
  const found = await callHost(hostId, ports, (engine) => engine.resolve(wanted)).catch(unread)
  return new Map(
    Object.entries(found?.images ?? {}).flatMap(([id, { labels }]) =>
      labels ? [[id, labels]] : [],
    ),
  )
}

/** Returns the labels that are not the image's; none if those of the image are unknown. */
function ownLabels(labels: Labels, image: Labels | undefined): Labels {
  if (!image) return {}
  const isOwn = ([key, value]: [string, string]) =>
    !Object.hasOwn(image, key) || image[key] !== value
  return Object.fromEntries(Object.entries(labels).filter(isOwn))
}
