import { dockerfileImages } from '../../../functions/compose/build/dockerfile-images.ts'
import type { Dockerfile } from '../../../functions/compose/build/read-dockerfile.ts'
import { refuseBases, undetermined } from '../../../functions/compose/build/refuse-bases.ts'
import { refuseDials } from '../../../functions/compose/build/refuse-dials.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { pullImage } from '../images/pull.ts'
import { type InspectedImage, inspectImage } from '../inspect/image.ts'
import type { EngineClient } from '../transport/client.ts'
import { digestOf, isOfficial, refuseUnsafeBase } from './base-images.ts'
import { refusePlatforms } from './base-platforms.ts'

type Arguments = Record<string, string | null> | undefined

/**
 * The images that a Dockerfile refers to, and whether all of them were pulled to the host already.
 */
export interface Bases {
  images: string[]
  fetched: boolean
  /**
   * The id of each inspected image by its name in the Dockerfile. Empty for builds without
   * restrictions.
   */
  inspected: ReadonlyMap<string, string>
  /** The digests by which registries, or containerd, know the inspected images. */
  digests: ReadonlySet<string>
}

/**
 * Checks a Dockerfile before a builder reads it. For a restricted build the service pulls the base
 * images first, because their `ONBUILD` instructions are in no text of the stack.
 *
 * @throws 403 for addresses that the caller must not let a builder dial, and what `refuseBases`
 * throws
 */
export async function checkBases(
  client: EngineClient,
  dockerfile: Dockerfile,
  { build, version }: { build: ImageBuild; version: '1' | '2' },
  signal: AbortSignal,
): Promise<Bases> {
  const images = dockerfileImages(dockerfile, build.options.buildargs as Arguments)
  if (build.refused) refuseBases(build.refused, images)
  const possible = refuseDials(dockerfile, build).filter((one) => !images?.includes(one))
  if (build.refused) refuseBases(build.refused, [...possible, ...frontendOf(build)])
  const inspected = new Map<string, string>()
  const digests = new Set<string>()
  if (!build.registries) return { images: images ?? [], fetched: false, inspected, digests }
  if (!images) throw undetermined()
  for (const image of images) await fetchBase(client, image, build, signal)
  const found = new Map<string, InspectedImage | undefined>()
  for (const image of [...images, ...possible])
    found.set(image, await inspectImage(client, image, { signal }))
  const named = images.map((image) => [image, found.get(image)] as const)
  await refusePlatforms(client, dockerfile, { build, version, images: named }, signal)
  for (const [image, base] of found) {
    refuseUnsafeBase(image, base, build)
    if (!base) continue
    inspected.set(image, base.Id)
    for (const one of base.RepoDigests ?? []) digests.add(digestOf(one))
  }
  return { images, fetched: true, inspected, digests }
}

/** Returns the frontend that a build argument names. */
function frontendOf({ options }: ImageBuild): string[] {
  const frontend = (options.buildargs as Arguments)?.BUILDKIT_SYNTAX
  return frontend ? [frontend] : []
}

async function fetchBase(
  client: EngineClient,
  image: string,
  { registries, options: { pull, platform } }: ImageBuild,
  signal: AbortSignal,
): Promise<void> {
  const isAsked = Boolean(pull || platform)
  const where = { signal, registries, ...(typeof platform === 'string' ? { platform } : {}) }
  if (isOfficial(image)) {
    if (isAsked) await pullImage(client, image, where).catch(ignoreError('refresh a base image'))
  } else if (isAsked || !(await inspectImage(client, image, { signal }))) {
    await pullImage(client, image, where)
  }
}
