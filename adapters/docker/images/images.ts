import type Docker from 'dockerode'
import { sameImageName } from '../../../functions/compose/reference/image-name.ts'
import type { ResolvedImage } from '../../../functions/compose/snapshot.ts'
import { notFound } from '../../../functions/core/errors.ts'
import { checkedReference, parseReference } from '../../../functions/core/images/reference.ts'
import type { ContainerSummary } from '../../../functions/core/records/container.ts'
import type { ImageSummary } from '../../../functions/core/records/host-engine.ts'
import { planReadDeadline } from '../inspect/container.ts'
import { type InspectedImage, inspectImage } from '../inspect/image.ts'
import { helperImage } from '../names/labels.ts'
import { imageList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { ReadOptions } from '../transport/call.ts'
import type { EngineClient } from '../transport/client.ts'

/** Returns the Engine's list of images as text. */
export function listImages(client: EngineClient): Promise<string> {
  return client.text({ method: 'GET', path: '/images/json' })
}

/** Returns the images without a name, as `docker image prune` finds them. */
export async function namelessImages(
  client: EngineClient,
  containers: readonly ContainerSummary[],
): Promise<ImageSummary[]> {
  const query = { filters: { dangling: ['true'] } }
  const text = await client.text({ method: 'GET', path: '/images/json', query })
  return withContainerCounts(imageSummaries(text), containers)
}

/**
 * Returns the images in the Engine's list, sorted by tag, without the helper image of this adapter.
 * `containers` is 0; `withContainerCounts` counts them.
 */
export function imageSummaries(text: string): ImageSummary[] {
  return parsedAs<Docker.ImageInfo[]>(text, imageList)
    .filter((image) => !isHelperImage(image))
    .map((image) => ({
      id: image.Id,
      tags: tagsOf(image.RepoTags),
      digests: namedOnly(image.RepoDigests),
      size: image.Size,
      createdAt: builtAt(image),
      containers: 0,
    }))
    .sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1))
}

/** The Engine returns the year 1 for an image that says no time, as some builders leave it out. */
const builtAt = ({ Created: seconds }: Docker.ImageInfo): string | null =>
  seconds < 0 ? null : new Date(seconds * 1000).toISOString()

/**
 * Bytes. More than the size of the helper image, for which an Engine that keeps its images in
 * containerd counts whole blocks of the disk. A larger image is listed, whatever its name.
 */
const helperImageMax = 64 * 1024

const isHelperImage = ({ RepoTags, Size }: Docker.ImageInfo) =>
  RepoTags?.length === 1 && RepoTags[0] === helperImage && Size <= helperImageMax

/**
 * Returns the images with the number of containers that use them, which the Engine's list does not
 * have.
 */
export function withContainerCounts(
  images: readonly ImageSummary[],
  containers: readonly ContainerSummary[],
): ImageSummary[] {
  const use = new Map<string, number>()
  for (const { imageId } of containers) use.set(imageId, (use.get(imageId) ?? 0) + 1)
  return images.map((image) => ({ ...image, containers: use.get(image.id) ?? 0 }))
}

/**
 * Returns id, digests and age of a local image, or undefined. The platform is not compared: the
 * Engine does that when it creates a container.
 */
export async function findImage(
  client: EngineClient,
  reference: string,
  options: ReadOptions = {},
): Promise<ResolvedImage | undefined> {
  const image = await inspectImage(client, reference, options)
  if (!image) return undefined
  const taggedAt = Date.parse(image.Metadata?.LastTagTime ?? '')
  return {
    id: image.Id,
    digests: namedOnly(image.RepoDigests),
    ...(isNamed(image, reference) ? {} : { byId: true as const }),
    volumes: Object.keys(image.Config?.Volumes ?? {}),
    labels: image.Config?.Labels ?? {},
    ...platformOf(image),
    // The Engine returns the year 1 for an image that was never tagged here.
    taggedAt: taggedAt > 0 ? taggedAt : null,
  }
}

function platformOf({ Os: os, Architecture: architecture, Variant: variant }: InspectedImage) {
  return os && architecture && { platform: { os, architecture, ...(variant && { variant }) } }
}

/**
 * Returns false if the reference is an id: the Engine interprets an unknown name as the beginning
 * of an id.
 */
function isNamed({ RepoTags, RepoDigests }: InspectedImage, reference: string): boolean {
  return [...namedOnly(RepoTags), ...namedOnly(RepoDigests)].some((one) =>
    sameImageName(one, reference),
  )
}

/** Tags an image. Another image with that name loses it. */
export async function tagImage(client: EngineClient, id: string, reference: string): Promise<void> {
  const { repository, tag } = parseReference(reference)
  const path = `/images/${checkedReference(id)}/tag`
  await client.json({ method: 'POST', path, query: { repo: repository, tag } })
}

/**
 * Gives a name to the image of a digest or an ID. Returns its ID.
 *
 * @throws 404 if the image is not on the host
 */
export async function giveName(
  client: EngineClient,
  { name, source }: { name: string; source: string },
  signal: AbortSignal,
): Promise<{ id: string }> {
  const image = await findImage(client, source, { signal, deadline: planReadDeadline })
  if (!image) throw notFound(`image ${source} is no longer on host ${client.host}`)
  await tagImage(client, image.id, name)
  return { id: image.id }
}

/** Leaves out names by digest, which an Engine that keeps its images in containerd lists too. */
export const tagsOf = (references: string[] | null | undefined): string[] =>
  namedOnly(references).filter((reference) => !reference.includes('@'))

/** Leaves out `<none>:<none>`, which the Engine returns for an image that lost its name. */
export function namedOnly(references: string[] | null | undefined): string[] {
  return (references ?? []).filter((reference) => !reference.startsWith('<none>'))
}

const sortKey = (image: ImageSummary) => image.tags[0] ?? `~${image.id}`
