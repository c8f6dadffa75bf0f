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
import { inspectImage } from '../images/images.ts'
import { pullImage } from '../images/pull.ts'
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
  if (build.refused) refuseBases(build.refused, possible)
  if (!build.registries) return { images: images ?? [], fetched: false, inspected: new Map() }
  if (!images) throw undetermined()
  for (const image of images) await fetchBase(client, image, build, signal)
  const platforms = dockerfilePlatforms(dockerfile, (build.options.buildargs as Arguments) ?? {})
  const isOwn = version === '2' && platforms?.length === 0
  const wanted = isOwn ? [await buildPlatform(client, build, signal)] : platforms
  for (const image of images) await refusePlatforms(client, image, wanted, signal)
  const inspected = new Map<string, string>()
  for (const image of [...images, ...possible]) {
    const base = await refuseLater(client, image, build, signal)
    if (base) inspected.set(image, base)
  }
  return { images, fetched: true, inspected }
}

/** What a builder reports of the images that it used. */
export interface UsedImages {
  /**
   * The first digits of the ids of images that the old builder used and made. They reveal a name
   * that moved to another image and back during the build.
   */
  ids: Iterable<string>
  /**
   * The references of bases with digests, as `name@sha256:…`, that BuildKit got from a registry or
   * from containerd.
   */
  digests: Iterable<string>
}

/**
 * Checks the base images again after the build. A name may have been given to another image during
 * the build, and only the inspected image is known to dial nothing.
 *
 * @throws 409 if an image has another id than before, and 403 as `checkBases`
 */
export async function recheckBases(
  client: EngineClient,
  { inspected, images }: Bases,
  build: ImageBuild,
  { ids, digests }: UsedImages,
  signal: AbortSignal,
): Promise<void> {
  if (!build.registries) return
  await refuseFetched(client, digests, { inspected: inspected.values(), build }, signal)
  const known = new Set(inspected.values())
  for (const id of ids) await refuseAncestors(client, `sha256:${id}`, known, build, signal)
  for (const image of new Set([...images, ...inspected.keys()])) {
    const id = await refuseLater(client, image, build, signal)
    const before = inspected.get(image)
    if (before !== undefined && id !== before) throw movedBase(image)
  }
}

/**
 * Refuses bases with other digests than the inspected images. BuildKit pulls a base that is no more
 * on the host, and asks the registry about each one if the Engine keeps its images in containerd.
 * Official images of Docker Hub are trusted unless a name of one was given to an image of the host.
 */
async function refuseFetched(
  client: EngineClient,
  references: Iterable<string>,
  { inspected, build }: { inspected: Iterable<string>; build: ImageBuild },
  signal: AbortSignal,
): Promise<void> {
  const known = new Set<string>()
  for (const id of inspected) {
    known.add(id)
    const image = await inspectImage(client, id, { signal })
    for (const one of image?.RepoDigests ?? []) known.add(digestOf(one))
  }
  for (const reference of references) {
    const digest = digestOf(reference)
    if (known.has(digest)) continue
    const image = await inspectImage(client, digest, { signal })
    if (image) refuseDials(laterOf(image), build, 'the ONBUILD instructions of a base')
    if (!imageName(reference).repository.startsWith('docker.io/library/')) {
      throw conflict(
        `the builder got another image for ${reference.slice(0, reference.indexOf('@'))} than the ` +
          'one on this host: pull it and try again, or set `build.pull`',
      )
    }
  }
}

const digestOf = (reference: string) => reference.slice(reference.indexOf('@') + 1)

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

/** Refuses a base image if the builder would pull another platform than the inspected one. */
async function refusePlatforms(
  client: EngineClient,
  image: string,
  platforms: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (platforms?.length === 0 || isOfficial(image)) return
  const base = await inspectImage(client, image, { signal })
  const own = base && [base.Os, base.Architecture, base.Variant].filter(Boolean).join('/')
  if (platforms && (!own || platforms.every((one) => own === one || own.startsWith(`${one}/`))))
    return
  throw refusedByPolicy(
    `the Dockerfile: its \`--platform\` must be that of ${image} on this host (${own ?? 'unknown'}): ` +
      'anything else needs the permission stacks:privileged',
  )
}

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
 * too: the builder would pull it unchecked. Returns its id, or undefined for an official image that
 * is not on the host.
 */
async function refuseLater(
  client: EngineClient,
  image: string,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<string | undefined> {
  const base = await inspectImage(client, image, { signal })
  if (!base && isOfficial(image)) return undefined
  if (!base) {
    throw refusedByPolicy(
      `the Dockerfile: whether it begins with ${image} depends on the builder: ` +
        'this needs the permission stacks:privileged',
    )
  }
  refuseDials(laterOf(base), build, `the ONBUILD instructions of ${image}`)
  return base.Id
}
