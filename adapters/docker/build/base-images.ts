import {
  type Dockerfile,
  readDockerfile,
} from '../../../functions/compose/build/read-dockerfile.ts'
import { refuseDials } from '../../../functions/compose/build/refuse-dials.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { refusedByPolicy } from '../../../functions/core/errors.ts'
import type { InspectedImage } from '../inspect/image.ts'

/**
 * Returns whether this is one of Docker Hub's official images, which are trusted. A line of Python
 * in a here-document, such as `from os import …`, looks like one too.
 */
export const isOfficial = (image: string) => !image.includes('/')

/** Returns the digest of a reference that has one. */
export const digestOf = (reference: string): string => reference.slice(reference.indexOf('@') + 1)

/**
 * Refuses a base image whose `ONBUILD` instructions dial. One that is not on the host is refused
 * too, because the builder would pull it unchecked, unless it is an official one.
 *
 * @param base the image that has this name now
 */
export function refuseUnsafeBase(
  image: string,
  base: InspectedImage | undefined,
  build: ImageBuild,
): void {
  if (!base && isOfficial(image)) return
  if (!base) {
    throw refusedByPolicy(
      `the Dockerfile: whether it begins with ${image} depends on the builder: ` +
        'this needs the permission stacks:privileged',
    )
  }
  refuseDials(laterOf(base), build, `the ONBUILD instructions of ${image}`)
}

/** Returns the instructions that a build adds which begins with the image. */
export const laterOf = ({ Config }: InspectedImage): Dockerfile =>
  readDockerfile((Config?.OnBuild ?? []).join('\n'))
