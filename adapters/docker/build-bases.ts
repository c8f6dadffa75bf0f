import type { ImageBuild } from '../../functions/core/compose/step.ts'
import { dockerfileImages } from '../../functions/core/engine/build/dockerfile-images.ts'
import { refuseBases } from '../../functions/core/engine/build/refuse-bases.ts'
import { refuseDials } from '../../functions/core/engine/build/refuse-dials.ts'
import { forbidden } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectImage } from './images.ts'
import { pullImage } from './pull.ts'

type Arguments = Record<string, string | null> | undefined

/** The images that a Dockerfile names, and whether they are on the host already, all of them. */
export interface Bases {
  images: string[]
  fetched: boolean
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
  if (!build.registries || !images) return { images: images ?? [], fetched: false }
  for (const image of images) await fetchBase(client, image, build, signal)
  for (const image of [...images, ...possible]) await refuseLater(client, image, build, signal)
  return { images, fetched: true }
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

/** Refuses a base whose `ONBUILD` instructions dial. One that is not there would be pulled unseen. */
async function refuseLater(
  client: EngineClient,
  image: string,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<void> {
  const base = await inspectImage(client, image, { signal })
  if (!base && isOfficial(image)) return
  if (!base) {
    throw forbidden(
      `the Dockerfile: whether it begins with ${image} depends on the builder: ` +
        'this needs the permission stacks:privileged',
    )
  }
  const later = base.Config?.OnBuild ?? []
  refuseDials(later.join('\n'), build, `the ONBUILD instructions of ${image}`)
}
