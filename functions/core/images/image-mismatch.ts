import { Failure } from '../errors.ts'

/** A name points to another image than the one that was decided on. */
class ImageMismatch extends Failure {}

/** Returns the failure 409 for a container that an Engine created from the wrong image. */
export function imageMismatch(reference: string, expected: string, found: string): Failure {
  return new ImageMismatch(
    409,
    `image ${reference} now points to ${found}, but this deployment decided on ${expected}: ` +
      'something else moved the name in the meantime; the new container was removed, plan again to see what changed',
  )
}

/** Returns whether an error comes from `imageMismatch`. */
export const isImageMismatch = (error: unknown): boolean => error instanceof ImageMismatch
