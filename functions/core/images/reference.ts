import { isReference, splitReference } from '../../compose/reference/image-reference.ts'
import { invalid } from '../errors.ts'

/** An image reference as a pull takes it. `tag` is a tag, or a digest with its algorithm. */
export interface ImageReference {
  repository: string
  tag: string
}

/**
 * Returns the reference if it is one. Each implementation of the Engine port calls this with every
 * reference that it is given.
 *
 * @throws 400 if it is not a valid reference
 */
export function checkedReference(reference: string): string {
  if (isReference(reference)) return reference
  throw invalid(`${JSON.stringify(reference.slice(0, 140))} is not a valid image reference`)
}

/** Splits a reference. Without tag and digest it means `latest`, as for the `docker` command. */
export function parseReference(reference: string): ImageReference {
  const { repository, tag, digest } = splitReference(checkedReference(reference))
  return { repository, tag: digest ?? tag ?? 'latest' }
}
