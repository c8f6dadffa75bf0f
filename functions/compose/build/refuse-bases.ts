import { conflict, refusedByPolicy } from '../errors.ts'
import { imageName } from '../reference/image-name.ts'
import type { RefusedBases } from '../step.ts'

/**
 * Refuses a Dockerfile that uses an image which its build must not use.
 *
 * @param images the references in it, or undefined if they cannot be determined
 * @throws 409 for an image built by another stack; 403 for an image by its ID, or if the images
 *   cannot be determined
 */
export function refuseBases(
  { names, ids }: RefusedBases,
  images: readonly string[] | undefined,
): void {
  if (ids && !images) throw undetermined()
  const byId = ids && images?.find((image) => isId(image))
  if (byId) {
    throw refusedByPolicy(
      `the Dockerfile uses ${byId}, which may be the ID of any stack's image: this needs the ` +
        'permission stacks:privileged; name the image with its tag',
    )
  }
  const found = images?.find((image) => names.includes(imageName(image).name))
  if (found === undefined) return
  throw conflict(
    `the Dockerfile uses ${found}, which another stack built on this host; ` +
      'pull it first, or deploy with `on_drift: import` to use what is there',
    { reason: 'drift' },
  )
}

/** Returns the 403 for a Dockerfile whose images cannot be determined. */
export const undetermined = () =>
  refusedByPolicy(
    'the images that the Dockerfile uses cannot be determined: this needs the permission ' +
      'stacks:privileged; use literal names, or ARG with plain variables',
  )

/**
 * Returns whether an image may be an ID. The Engine takes a name of hexadecimal digits for the
 * beginning of an ID if no image has that name.
 */
const isId = (image: string) => imageName(image).kind === 'id' || /^[0-9a-f]+$/.test(image)
