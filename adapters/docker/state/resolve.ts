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
  const resolved: Resolved = { networks: {}, volumes: {}, images: {} }
  for (const { id, name, labels } of networks) {
    if (wanted.networks.includes(name)) resolved.networks[name] = { id, name, labels }
  }
  for (const { name, labels, driver, options } of volumes) {
    if (wanted.volumes.includes(name)) resolved.volumes[name] = { name, labels, driver, options }
  }
  for (const { image, found } of images) if (found) resolved.images[image] = found
  return resolved
}
