import { dockerfilePlatforms } from '../../../functions/compose/build/dockerfile-platforms.ts'
import type { Dockerfile } from '../../../functions/compose/build/read-dockerfile.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { refusedByPolicy } from '../../../functions/core/errors.ts'
import type { InspectedImage } from '../inspect/image.ts'
import { enginePlatform, platformName } from '../inspect/platform.ts'
import { keepsImagesInContainerd } from '../state/image-store.ts'
import type { EngineClient } from '../transport/client.ts'
import { isOfficial } from './base-images.ts'

/** A build whose platforms are checked. */
export interface PlatformCheck {
  build: ImageBuild
  version: '1' | '2'
  /** The images that the Dockerfile names, each with the one that has the name now. */
  images: Iterable<readonly [name: string, base: InspectedImage | undefined]>
}

/**
 * Refuses base images if the builder would use another platform than the inspected one. If an
 * Engine keeps its images in containerd, a name stands for an image per platform, and only that for
 * the host is inspected.
 */
export async function refusePlatforms(
  client: EngineClient,
  dockerfile: Dockerfile,
  { build, version, images }: PlatformCheck,
  signal: AbortSignal,
): Promise<void> {
  const { buildargs, platform } = build.options
  const named = dockerfilePlatforms(dockerfile, (buildargs ?? {}) as Record<string, string | null>)
  const isOwn = (version === '2' || platform !== undefined) && named?.length === 0
  const platforms = isOwn ? [await buildPlatform(client, build, signal)] : named
  if (platforms?.length === 0) return
  const host = await inspectedPlatform(client, signal)
  for (const [image, base] of images) {
    if (isOfficial(image)) continue
    const own = base && platformOf(base)
    const isInspected = (one: string) =>
      own !== undefined && covers(own, one) && (host === undefined || covers(host, one))
    if (platforms?.every(isInspected)) continue
    throw refusedByPolicy(
      `the Dockerfile: its platform must be that of ${image} on this host (${own ?? 'unknown'}): ` +
        'anything else needs the permission stacks:privileged',
    )
  }
}

/** Returns the only platform whose image is inspected, or undefined if a name has one image. */
async function inspectedPlatform(
  client: EngineClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!(await keepsImagesInContainerd(client, signal))) return undefined
  return platformName(await enginePlatform(client, signal))
}

/** Returns whether a platform is the other one, or a variant of it: `linux/arm/v7`, `linux/arm`. */
const covers = (platform: string, other: string) =>
  platform === other || platform.startsWith(`${other}/`)

const platformOf = ({ Os, Architecture, Variant }: InspectedImage) =>
  [Os, Architecture, Variant].filter(Boolean).join('/')

/**
 * Returns the platform of a build whose Dockerfile names none, such as `linux/amd64`. If a base
 * image on the host is for another one, BuildKit asks the registry for it.
 */
async function buildPlatform(
  client: EngineClient,
  { options: { platform } }: ImageBuild,
  signal: AbortSignal,
): Promise<string> {
  if (typeof platform === 'string') return platform
  return platformName(await enginePlatform(client, signal))
}
