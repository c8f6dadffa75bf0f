import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { forEachConcurrently } from './concurrently.ts'
import { refresh } from './refresh.ts'

export type Image = components['schemas']['Image']
export type PrunedImages = components['schemas']['PrunedImages']

/** Removes an image with all of its names. */
export async function removeImage({ id, tags, host_id: host }: Image): Promise<void> {
  const query = { host, ...(tags.length > 1 && { force: true }) }
  await unwrap(api.DELETE('/images/{id}', { params: { path: { id }, query } }))
  refresh('/images')
}

/**
 * Removes several images, each with all of its names. Returns their bytes together.
 *
 * @throws RequestError that names each image that was not removed, after all others were
 */
export async function removeImages(images: readonly Image[]): Promise<number> {
  await forEachConcurrently(images, nameOfImage, removeImage)
  return bytesOf(images)
}

/** Returns the bytes of images together. Those of layers that they share count for each. */
export const bytesOf = (images: readonly Pick<Image, 'size'>[]): number =>
  images.reduce((sum, { size }) => sum + size, 0)

/** Which unused images of a host a prune removes: those without a name, or all. */
export interface PruneChoice {
  host: HostId
  all: boolean
}

/** Removes unused images of a host. Returns the freed bytes. */
export async function pruneImages(choice: PruneChoice): Promise<number> {
  const pruned = await postPrune({ ...choice, dry_run: false })
  refresh('/images')
  return pruned.reclaimed_bytes
}

/** Returns the unused images that a prune would remove, and those that it would leave. */
export const planPrune = (choice: PruneChoice): Promise<PrunedImages> =>
  postPrune({ ...choice, dry_run: true })

const postPrune = async (query: PruneChoice & { dry_run: boolean }) =>
  (await unwrap(api.POST('/images/prune', { params: { query } }))) as PrunedImages

/** Names an image in an address. One image may be on several hosts. */
export const keyOfImage = ({ id, host_id }: Image) => `${id.replace('sha256:', '')}@${host_id}`

/** Returns the name of an image, or the start of its id if it has lost its names. */
export const nameOfImage = ({ id, tags }: Pick<Image, 'id' | 'tags'>) =>
  tags[0] ?? id.replace('sha256:', '').slice(0, 12)
