import { Failure } from '../errors.ts'

/** A name stood for another image than the one that was decided on. */
class OtherImage extends Failure {}

/** Returns the failure 409 of a container that an Engine made from another image than it should. */
export function otherImage(reference: string, expected: string, found: string): Failure {
  return new OtherImage(
    409,
    `image ${reference} now stands for ${found}, but this deployment decided on ${expected}: ` +
      'something else moved the name meanwhile; the new container was removed, deploy again to see what would change',
  )
}

/** Returns whether an error comes from `otherImage`. */
export const isOtherImage = (error: unknown): boolean => error instanceof OtherImage
