import { isDockerFrontend } from '../../../functions/compose/build/dockerfile-dials.ts'
import { dockerfileImages } from '../../../functions/compose/build/dockerfile-images.ts'
import { dockerfilePlatforms } from '../../../functions/compose/build/dockerfile-platforms.ts'
import {
  type Dockerfile,
  readDockerfile,
} from '../../../functions/compose/build/read-dockerfile.ts'
import { refuseBases, undetermined } from '../../../functions/compose/build/refuse-bases.ts'
import { refuseDials } from '../../../functions/compose/build/refuse-dials.ts'
import { imageName } from '../../../functions/compose/reference/image-name.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { conflict, refusedByPolicy } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { type InspectedImage, inspectImage } from '../images/images.ts'
import { pullImage } from '../images/pull.ts'
import { keepsImagesInContainerd } from '../state/image-store.ts'
import { enginePlatform } from '../state/platform.ts'
import type { EngineClient } from '../transport/client.ts'

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
  const platforms = dockerfilePlatforms(dockerfile, (build.options.buildargs as Arguments) ?? {})
  const isAsked = version === '2' || build.options.platform !== undefined
  const isOwn = isAsked && platforms?.length === 0
  const wanted = isOwn ? [await buildPlatform(client, build, signal)] : platforms
  await refusePlatforms(client, images, wanted, signal)
  for (const image of [...images, ...possible]) {
    const base = await refuseLater(client, image, build, signal)
    if (!base) continue
    inspected.set(image, base.Id)
    for (const one of base.RepoDigests ?? []) digests.add(digestOf(one))
  }
  return { images, fetched: true, inspected, digests }
}

/** What a builder reports of the images that it used. */
export interface UsedImages {
  /**
   * The first digits of the ids of images that the old builder used and made. They reveal a name
   * that moved to another image and back during the build.
   */
  ids: ReadonlySet<string>
  /** The references that BuildKit looked up, and those of the images that it used: see `Traced`. */
  lookups: Iterable<string>
  bases: Iterable<string>
}

/**
 * Checks the base images again after the build. A name may have been given to another image during
 * the build, and only the inspected image is known to dial nothing.
 *
 * @throws 409 if an image has another id than before, and 403 as `checkBases`
 */
export async function recheckBases(
  client: EngineClient,
  bases: Bases,
  build: ImageBuild,
  used: UsedImages,
  signal: AbortSignal,
): Promise<void> {
  if (!build.registries) return
  const { images, inspected } = bases
  refuseUnreported(used, inspected.keys())
  await refuseFetched(client, used.bases, { digests: bases.digests, build }, signal)
  const known = new Set(inspected.values())
  if (used.ids.size > idsMax) throw conflict('the build used more images than can be checked')
  for (const id of used.ids) await refuseAncestors(client, `sha256:${id}`, known, build, signal)
  for (const image of new Set([...images, ...inspected.keys()])) {
    const before = inspected.get(image)
    if (before !== undefined && !(await inspectImage(client, image, { signal })))
      throw movedBase(image)
    const base = await refuseLater(client, image, build, signal)
    if (before !== undefined && base?.Id !== before) throw movedBase(image)
  }
}

/**
 * Refuses a build if BuildKit looked up an image without saying which one it used: it does not for
 * an image without layers. An image of the host has no digest there, so it must be an inspected
 * one.
 */
function refuseUnreported(
  { lookups, bases }: Pick<UsedImages, 'lookups' | 'bases'>,
  inspected: Iterable<string>,
): void {
  const used = [...bases].map((base) => ({ name: tagOf(base), hasDigest: base.includes('@') }))
  const known = new Set([...inspected].map(tagOf))
  for (const lookup of lookups) {
    if (isDockerFrontend(lookup)) continue
    const name = tagOf(lookup)
    const found = used.filter((one) => one.name === name)
    const isKnown = known.has(name) || found.every(({ hasDigest }) => hasDigest)
    if (found.length > 0 && isKnown) continue
    throw conflict(`which image the builder used for ${lookup} is unknown, so it cannot be checked`)
  }
}

/**
 * Refuses bases with other digests than the inspected images. BuildKit pulls a base that is no more
 * on the host, and asks the registry about each one if the Engine keeps its images in containerd.
 * Official images of Docker Hub are trusted unless one on the host has instructions that dial.
 */
async function refuseFetched(
  client: EngineClient,
  bases: Iterable<string>,
  { digests, build }: { digests: ReadonlySet<string>; build: ImageBuild },
  signal: AbortSignal,
): Promise<void> {
  for (const reference of bases) {
    const digest = digestOf(reference)
    if (!reference.includes('@') || digests.has(digest) || isDockerFrontend(reference)) continue
    const image = await inspectImage(client, digest, { signal })
    if (image) refuseDials(laterOf(image), build, 'the ONBUILD instructions of a base')
    if (imageName(reference).repository.startsWith('docker.io/library/')) continue
    throw conflict(
      `the builder got another image for ${withoutDigest(reference)} than the one on this host: ` +
        'pull it and try again, or set `build.pull`',
    )
  }
}

const digestOf = (reference: string) => reference.slice(reference.indexOf('@') + 1)
const withoutDigest = (reference: string) => reference.replace(/@.*$/, '')
/** Returns the normal form of a reference, without its digest. */
const tagOf = (reference: string) => imageName(withoutDigest(reference)).name

/** Returns the frontend that a build argument names. */
function frontendOf({ options }: ImageBuild): string[] {
  const frontend = (options.buildargs as Arguments)?.BUILDKIT_SYNTAX
  return frontend ? [frontend] : []
}

/** The maximum number of images that a builder may report. A build has one per instruction. */
const idsMax = 10_000

/** The maximum number of ancestors to inspect. */
const ancestorsMax = 1000

/**
 * Refuses an image if it, or one of its ancestors, has `ONBUILD` instructions that dial and was not
 * inspected before the build. Adds the accepted ones to `known`. Ignores an id that no image has,
 * because the output of a command can contain text that looks like one.
 */
async function refuseAncestors(
  client: EngineClient,
  id: string,
  known: Set<string>,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<void> {
  let next = id
  for (let depth = 0; next !== '' && depth < ancestorsMax; depth += 1) {
    const image = await inspectImage(client, next, { signal })
    if (!image && next === id) return
    if (!image) throw movedBase(next)
    if (known.has(image.Id)) return
    known.add(image.Id)
    refuseDials(laterOf(image), build, 'the ONBUILD instructions of a base')
    next = image.Parent ?? ''
  }
}

/** Returns the instructions that a build adds which begins with the image. */
const laterOf = ({ Config }: { Config?: { OnBuild?: string[] | null } | null }): Dockerfile =>
  readDockerfile((Config?.OnBuild ?? []).join('\n'))

const movedBase = (image: string) =>
  conflict(`the Dockerfile uses ${image}, which became another image during the build: try again`)

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
  const { Os, Arch } = await enginePlatform(client, signal)
  return `${Os}/${Arch}`
}

/**
 * Refuses base images if the builder would use another platform than the inspected one. If an
 * Engine keeps its images in containerd, a name stands for an image per platform, and only that for
 * the host is inspected.
 */
async function refusePlatforms(
  client: EngineClient,
  images: readonly string[],
  platforms: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (platforms?.length === 0) return
  const host = await inspectedPlatform(client, signal)
  for (const image of images) {
    if (isOfficial(image)) continue
    const base = await inspectImage(client, image, { signal })
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
  const { Os, Arch } = await enginePlatform(client, signal)
  return `${Os}/${Arch}`
}

/** Returns whether a platform is the other one, or a variant of it: `linux/arm/v7`, `linux/arm`. */
const covers = (platform: string, other: string) =>
  platform === other || platform.startsWith(`${other}/`)

const platformOf = ({ Os, Architecture, Variant }: InspectedImage) =>
  [Os, Architecture, Variant].filter(Boolean).join('/')

/**
 * Returns whether this is one of Docker Hub's official images, which are trusted. A line of Python
 * in a here-document, such as `from os import …`, looks like one too.
 */
const isOfficial = (image: string) => !image.includes('/')

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

/**
 * Refuses a base image whose `ONBUILD` instructions dial. One that is not on the host is refused
 * too: the builder would pull it unchecked. Returns the image, or undefined for an official one
 * that is not on the host.
 */
async function refuseLater(
  client: EngineClient,
  image: string,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<InspectedImage | undefined> {
  const base = await inspectImage(client, image, { signal })
  if (!base && isOfficial(image)) return undefined
  if (!base) {
    throw refusedByPolicy(
      `the Dockerfile: whether it begins with ${image} depends on the builder: ` +
        'this needs the permission stacks:privileged',
    )
  }
  refuseDials(laterOf(base), build, `the ONBUILD instructions of ${image}`)
  return base
}
