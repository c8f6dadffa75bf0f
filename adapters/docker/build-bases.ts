import type { ImageBuild } from '../../functions/core/compose/step.ts'
import { dockerfileImages } from '../../functions/core/engine/build/dockerfile-images.ts'
import { dockerfilePlatforms } from '../../functions/core/engine/build/dockerfile-platforms.ts'
import { refuseBases } from '../../functions/core/engine/build/refuse-bases.ts'
import { refuseDials } from '../../functions/core/engine/build/refuse-dials.ts'
import { conflict, forbidden } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectImage } from './images.ts'
import { pullImage } from './pull.ts'

type Arguments = Record<string, string | null> | undefined

/** The images that a Dockerfile names, and whether they are on the host already, all of them. */
export interface Bases {
  images: string[]
  fetched: boolean
  /** The ID of each image that was inspected, by the name in the Dockerfile; of builds with limits. */
  inspected: ReadonlyMap<string, string>
}

/**
 * Checks a Dockerfile before a builder reads it. For a build with limits the bases are pulled first,
 * by us: what an image leaves for later builds (`ONBUILD`) is in no text of the stack.
 *
 * @throws 403 for what the caller must not have a builder dial, and what `refuseBases` throws
 */
export async function checkBases(
  client: EngineClient,
  dockerfile: string,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<Bases> {
  const images = dockerfileImages(dockerfile, build.options.buildargs as Arguments)
  if (build.refused) refuseBases(build.refused, images)
  const possible = refuseDials(dockerfile, build).filter((one) => !images?.includes(one))
  if (build.refused) refuseBases(build.refused, possible)
  if (!build.registries || !images) {
    return { images: images ?? [], fetched: false, inspected: new Map() }
  }
  for (const image of images) await fetchBase(client, image, build, signal)
  const platforms = dockerfilePlatforms(dockerfile, (build.options.buildargs as Arguments) ?? {})
  for (const image of images) await refusePlatforms(client, image, platforms, signal)
  const inspected = new Map<string, string>()
  for (const image of [...images, ...possible]) {
    const base = await refuseLater(client, image, build, signal)
    if (base) inspected.set(image, base)
  }
  return { images, fetched: true, inspected }
}

/**
 * Looks at the bases of a finished build again. A name may have been given to another image while
 * the build went on, and only the image that was inspected is known to dial nothing.
 *
 * @param used the first digits of the IDs of images that the builder used and made, where it says
 *   so: a name may have moved there and back again
 * @throws 409 if an image has another ID than before, and 403 as `checkBases`
 */
export async function recheckBases(
  client: EngineClient,
  { inspected, images }: Bases,
  build: ImageBuild,
  used: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  if (!build.registries) return
  const known = new Set(inspected.values())
  for (const id of used) await refuseAncestors(client, `sha256:${id}`, known, build, signal)
  for (const image of new Set([...images, ...inspected.keys()])) {
    const id = await refuseLater(client, image, build, signal)
    const before = inspected.get(image)
    if (before !== undefined && id !== before) throw movedBase(image)
  }
}

/** Layers of the longest chain that is followed. */
const ancestorsMax = 1000

/**
 * Refuses an image if it, or one that it was made from, has `ONBUILD` instructions that dial and was
 * not inspected before the build. Those that are fine are added to `known`. An ID that no image has
 * was printed by a command.
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
    refuseDials(
      (image.Config?.OnBuild ?? []).join('\n'),
      build,
      'the ONBUILD instructions of a base',
    )
    next = image.Parent ?? ''
  }
}

const movedBase = (image: string) =>
  conflict(`the Dockerfile uses ${image}, which became another image during the build: try again`)

/** Refuses a base of which the builder would pull another variant than the one that is inspected. */
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
  throw forbidden(
    `the Dockerfile: its \`--platform\` must be that of ${image} on this host (${own ?? 'unknown'}): ` +
      'anything else needs the permission stacks:privileged',
  )
}

/** The library of Docker Hub: no stranger's images, and Python's `from os import …` looks like one. */
const isOfficial = (image: string) => !image.includes('/')

async function fetchBase(
  client: EngineClient,
  image: string,
  { options: { pull, platform } }: ImageBuild,
  signal: AbortSignal,
): Promise<void> {
  const isAsked = Boolean(pull || platform)
  const where = typeof platform === 'string' ? { platform } : {}
  if (isOfficial(image)) {
    if (isAsked) await pullImage(client, image, { signal, ...where }).catch(() => {})
  } else if (isAsked || !(await inspectImage(client, image, { signal }))) {
    await pullImage(client, image, { signal, ...where })
  }
}

/**
 * Refuses a base whose `ONBUILD` instructions dial. One that is not there would be pulled unseen.
 * Returns its ID, or undefined for an official image that is not there.
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
    throw forbidden(
      `the Dockerfile: whether it begins with ${image} depends on the builder: ` +
        'this needs the permission stacks:privileged',
    )
  }
  const later = base.Config?.OnBuild ?? []
  refuseDials(later.join('\n'), build, `the ONBUILD instructions of ${image}`)
  return base.Id
}
