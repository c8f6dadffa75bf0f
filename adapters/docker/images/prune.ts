import { isDeepStrictEqual } from 'node:util'
import { imageName } from '../../../functions/compose/reference/image-name.ts'
import { checkedReference } from '../../../functions/core/images/reference.ts'
import type { ImageSummary, PrunedImages } from '../../../functions/core/records/host-engine.ts'
import { type InspectedImage, inspectImage } from '../inspect/image.ts'
import { isConflict, isMissing } from '../responses/errors.ts'
import { imageHistory, imageSizes, removedParts } from '../responses/response-shapes.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import { namedOnly, tagsOf } from './images.ts'

type Unused = Pick<ImageSummary, 'id' | 'tags'>
type KeepsImage = (image: Pick<ImageSummary, 'id' | 'digests'>) => boolean

/** The Engine may remove gigabytes. Milliseconds. */
const removalDeadline = 10 * 60_000

/**
 * Removes images with all of their names, one by one, and the nameless images that they were built
 * from. One stays that a container uses, that is gone, or that has other names than given.
 *
 * The Engine's own prune takes no list: it would also remove an image that has to stay.
 *
 * @param keeps whether an image stays that one of them was built from
 */
export async function pruneImages(
  client: EngineClient,
  images: readonly Unused[],
  keeps: KeepsImage,
  signal: AbortSignal,
): Promise<PrunedImages> {
  const sizes = await ownSizes(client, signal)
  const deleted: string[] = []
  let reclaimed = 0
  for (const image of images) {
    signal.throwIfAborted()
    const found = await inspectImage(client, image.id, { signal })
    if (!found || !hasNames(found, image.tags)) continue
    const noprune = await isBuiltFromKept(client, found, keeps, signal)
    const history = await historyOf(client, image.id, signal)
    const gone = await removeWithNames(client, found, noprune)
    if (!gone.includes(image.id)) continue
    deleted.push(...gone)
    reclaimed += sizes.get(image.id) ?? bytesOfLayers(gone, found, history)
  }
  return { deleted, reclaimed }
}

const hasNames = ({ RepoTags }: InspectedImage, tags: readonly string[]) =>
  isDeepStrictEqual([...tagsOf(RepoTags)].sort(), [...tags].sort())

/** Returns whether an image stays that the image was built from, by a builder without BuildKit. */
async function isBuiltFromKept(
  client: EngineClient,
  image: InspectedImage,
  keeps: KeepsImage,
  signal: AbortSignal,
): Promise<boolean> {
  // A host may name an image as its own parent.
  const seen = new Set<string>()
  let parent = image.Parent
  while (parent && !seen.has(parent)) {
    seen.add(parent)
    const found = await inspectImage(client, parent, { signal })
    if (!found) return false
    if (keeps({ id: found.Id, digests: namedOnly(found.RepoDigests) })) return true
    parent = found.Parent
  }
  return false
}

/** Returns the IDs of the removed images and layers; none if it stays because it is in use. */
async function removeWithNames(
  client: EngineClient,
  { Id: id, RepoTags, RepoDigests }: InspectedImage,
  noprune: boolean,
): Promise<string[]> {
  const tags = tagsOf(RepoTags)
  try {
    const names = tags.length > 0 ? tags : namesWithoutTags(id, namedOnly(RepoDigests))
    const parts = []
    for (const name of names) parts.push(...(await removeNamed(client, name, noprune)))
    return parts
  } catch (error) {
    if (isConflict(error) || isMissing(error)) return []
    throw error
  }
}

/**
 * Returns what to remove of an image that has no tag: the image, or each digest of several
 * repositories, because the Engine refuses to remove those together.
 */
const namesWithoutTags = (id: string, digests: readonly string[]) =>
  digests.some((one) => !sameRepository(one, digests[0] ?? '')) ? digests : [id]

const sameRepository = (one: string, other: string) =>
  imageName(one).repository === imageName(other).repository

async function removeNamed(
  client: EngineClient,
  name: string,
  noprune: boolean,
): Promise<string[]> {
  const parts = await client.json<{ Deleted?: string }[]>({
    method: 'DELETE',
    path: `/images/${checkedReference(name)}`,
    query: { force: false, noprune },
    deadline: removalDeadline,
    shape: removedParts,
  })
  return parts.flatMap(({ Deleted }) => Deleted ?? [])
}

/** Returns the bytes that each image shares with no other, by ID, if the Engine tells them. */
async function ownSizes(client: EngineClient, signal: AbortSignal): Promise<Map<string, number>> {
  if (!atLeast(await client.apiVersion(), '1.42')) return new Map()
  const images = await client.json<{ Id: string; Size: number; SharedSize: number }[]>({
    method: 'GET',
    path: '/images/json',
    query: { 'shared-size': true },
    signal,
    deadline: removalDeadline,
    shape: imageSizes,
  })
  const known = images.filter(({ SharedSize }) => SharedSize >= 0)
  return new Map(known.map(({ Id, Size, SharedSize }) => [Id, Size - SharedSize]))
}

/** A step of the build of an image, the last one first. The ID is `<missing>` unless it is kept. */
interface HistoryStep {
  Id: string
  Size: number
}

const historyOf = (client: EngineClient, id: string, signal: AbortSignal) =>
  client.json<HistoryStep[]>({
    method: 'GET',
    path: `/images/${id}/history`,
    signal,
    shape: imageHistory,
  })

/**
 * Returns the bytes of removed layers: of the whole image, or of its uppermost ones. An image need
 * not have a history, and then nothing is known of some of its layers.
 */
function bytesOfLayers(
  removed: readonly string[],
  { Id: id, Size, RootFS }: InspectedImage,
  history: readonly HistoryStep[],
): number {
  const images = new Set([id, ...history.map((step) => step.Id)])
  const layers = removed.filter((one) => !images.has(one)).length
  if (layers > 0 && layers === RootFS?.Layers?.length) return Size
  const sizes = history.map((step) => step.Size).filter((size) => size > 0)
  return sizes.slice(0, layers).reduce((total, size) => total + size, 0)
}
