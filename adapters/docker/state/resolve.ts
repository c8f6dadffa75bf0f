import type { Resolved, ResourceNames } from '../../../functions/compose/snapshot.ts'
import { findImage } from '../images/images.ts'
import { listNetworks, networkSummaries } from '../networks-and-volumes/networks.ts'
import { listVolumes, volumeSummaries } from '../networks-and-volumes/volumes.ts'
import type { EngineClient } from '../transport/client.ts'

/**
 * Returns the resources with the wanted names. The Engine's filters match parts of names, so only
 * exact matches count.
 */
export async function resolveNames(client: EngineClient, wanted: ResourceNames): Promise<Resolved> {
  const [networks, volumes, images] = await Promise.all([
    wanted.networks.length > 0
      ? listNetworks(client, { name: wanted.networks }).then(networkSummaries)
      : [],
    wanted.volumes.length > 0
      ? listVolumes(client, { name: wanted.volumes }).then(volumeSummaries)
      : [],
    Promise.all(
      [...new Set(wanted.images)].map(async (image) => ({
        image,
        found: await findImage(client, image),
      })),
    ),
  ])
  return {
    networks: Object.fromEntries(
      networks
        .filter(({ name }) => wanted.networks.includes(name))
        .map(({ id, name, labels }) => [name, { id, name, labels }]),
    ),
    volumes: Object.fromEntries(
      volumes
        .filter(({ name }) => wanted.volumes.includes(name))
        .map(({ name, labels, driver, options }) => [name, { name, labels, driver, options }]),
    ),
    images: Object.fromEntries(
      images.flatMap(({ image, found }) => (found ? [[image, found]] : [])),
    ),
  }
}
