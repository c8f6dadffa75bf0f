import { imageName } from '../../compose/reference/image-name.ts'
import type { Platform } from '../../compose/snapshot.ts'
import { unprocessable } from '../errors.ts'
import type { ImageRegistry } from '../ports/image-registry.ts'
import type { Comparison } from '../records/image-look.ts'
import type { ImageManifest, ImageTag } from '../records/image-manifest.ts'
import type { Registry } from '../records/registry.ts'

/** An image that a container of a host was made from. */
export interface RunningImage {
  id: string
  /** Repository digests: `docker.io/library/nginx@sha256:…`. */
  digests: readonly string[]
  platform: Platform
}

type Account = Pick<Registry, 'username' | 'password'> | undefined

/** Reads manifests of one repository. */
interface Reader {
  manifest(digest: string): Promise<ImageManifest | undefined>
}

/**
 * Compares a running image with the digest that its tag has now. An index that was pushed again,
 * for another platform or with other attestations, is the same image if its entry for the platform
 * is.
 *
 * @throws 422 if the registry does not have the manifest, and what the registry throws
 */
export async function compareImage(
  image: RunningImage,
  digest: string,
  tag: ImageTag,
  {
    registry,
    account,
    signal,
  }: { registry: Pick<ImageRegistry, 'manifest'>; account: Account; signal: AbortSignal },
): Promise<Comparison> {
  const own = digestsOf(image.digests, tag)
  if (own.includes(digest)) return 'same'
  const reader = { manifest: (one: string) => registry.manifest(tag, one, account, signal) }
  const now = await reader.manifest(digest)
  if (now === undefined) {
    throw unprocessable('the registry does not have the manifest of the tag', {
      reason: 'registry-refused',
    })
  }
  if (now.kind === 'image') return now.config === image.id ? 'same' : 'newer'
  const entry = entryOf(now, image.platform)
  if (entry === undefined) return 'no image for its platform'
  const isSame =
    own.includes(entry) ||
    (await hasConfig(entry, image, reader)) ||
    (await wasEntry(entry, own, image, reader))
  return isSame ? 'same' : 'newer'
}

/** Returns the digests that an image has in the repository of a tag. */
export function digestsOf(
  digests: readonly string[],
  { registry, repository }: ImageTag,
): string[] {
  const named = digests.filter((one) => imageName(one).repository === `${registry}/${repository}`)
  return named.map((one) => one.slice(one.indexOf('@') + 1))
}

/** Returns the digest of the image for a platform. Without a variant, any variant will do. */
function entryOf(
  index: Extract<ImageManifest, { kind: 'index' }>,
  { os, architecture, variant }: Platform,
): string | undefined {
  const fitting = index.images.filter(
    ({ platform }) => platform.os === os && platform.architecture === architecture,
  )
  const exact = fitting.find(({ platform }) => (platform.variant ?? '') === (variant ?? ''))
  return (exact ?? fitting[0])?.digest
}

/** On most hosts, the ID of an image is the digest of its configuration. */
async function hasConfig(entry: string, image: RunningImage, reader: Reader): Promise<boolean> {
  const manifest = await reader.manifest(entry)
  return manifest?.kind === 'image' && manifest.config === image.id
}

/** On hosts that keep images in containerd, the ID is the digest of the index that was pulled. */
async function wasEntry(
  entry: string,
  own: readonly string[],
  image: RunningImage,
  reader: Reader,
): Promise<boolean> {
  if (!own.includes(image.id)) return false
  const before = await reader.manifest(image.id)
  return before?.kind === 'index' && entryOf(before, image.platform) === entry
}
