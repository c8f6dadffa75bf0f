import { isDockerFrontend } from '../../../functions/compose/build/dockerfile-dials.ts'
import { refuseDials } from '../../../functions/compose/build/refuse-dials.ts'
import { imageName } from '../../../functions/compose/reference/image-name.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { conflict } from '../../../functions/core/errors.ts'
import { inspectImage } from '../inspect/image.ts'
import type { EngineClient } from '../transport/client.ts'
import { digestOf, laterOf, refuseUnsafeBase } from './base-images.ts'
import type { Bases } from './build-bases.ts'

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
    const base = await inspectImage(client, image, { signal })
    if (before !== undefined && !base) throw movedBase(image)
    refuseUnsafeBase(image, base, build)
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

const withoutDigest = (reference: string) => reference.replace(/@.*$/, '')
/** Returns the normal form of a reference, without its digest. */
const tagOf = (reference: string) => imageName(withoutDigest(reference)).name

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

const movedBase = (image: string) =>
  conflict(`the Dockerfile uses ${image}, which became another image during the build: try again`)
