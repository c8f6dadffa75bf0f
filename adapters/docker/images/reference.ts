import { invalid } from '../../../functions/core/errors.ts'

/** An image reference as a pull takes it. `tag` is a tag, or a digest with its algorithm. */
export interface ImageReference {
  repository: string
  tag: string
}

/**
 * Matches `host:port/path:tag@digest`. The Engine gets the tag or digest beside the rest. With an
 * empty or a second tag it would read another image than the one that was judged.
 */
const referencePattern =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?::\d{1,5}(?=\/))?(?:\/[A-Za-z0-9._-]+)*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@[A-Za-z0-9+._-]+:[0-9A-Fa-f]+)?$/
const longest = 512

/**
 * Returns the reference if it is safe in a path of the Engine API.
 *
 * @throws 400 if it is not a valid reference
 */
export function checkedReference(reference: string): string {
  const segments = reference.split('/')
  const walks = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  if (walks || reference.length > longest || !referencePattern.test(reference)) {
    throw invalid(`${JSON.stringify(reference.slice(0, 140))} is not a valid image reference`)
  }
  return reference
}

/** Splits a reference. Without tag and digest it means `latest`, as for the `docker` command. */
export function parseReference(reference: string): ImageReference {
  checkedReference(reference)
  const at = reference.indexOf('@')
  if (at >= 0)
    return { repository: withoutTag(reference.slice(0, at)), tag: reference.slice(at + 1) }
  const repository = withoutTag(reference)
  return { repository, tag: reference.slice(repository.length + 1) || 'latest' }
}

function withoutTag(reference: string): string {
  const colon = reference.lastIndexOf(':')
  return colon > reference.lastIndexOf('/') ? reference.slice(0, colon) : reference
}
