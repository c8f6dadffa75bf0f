/** The maximum number of characters of an image reference. */
export const referenceMax = 512

/**
 * Matches `host:port/path:tag@digest`, and image IDs. Rejects an empty or second tag: the Engine
 * receives name and tag separately, and would read such a text as another image than the one that
 * the service checked. Rejects `.` and `..` in the path, so a reference is safe in a URL of the
 * Engine API.
 */
export const referencePattern =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?:(?::\d{1,5})?(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+)?(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@[A-Za-z0-9+._-]+:[0-9A-Fa-f]+)?$/

/** Returns whether a text is an image reference that every part of the service reads alike. */
export const isReference = (text: string): boolean =>
  text.length <= referenceMax && referencePattern.test(text)

/** An image reference in its parts. */
export interface ReferenceParts {
  /** Registry and path, as written. */
  repository: string
  tag: string | undefined
  digest: string | undefined
}

/** Splits a reference. The parts of a text that is no reference are those of the nearest one. */
export function splitReference(reference: string): ReferenceParts {
  const at = reference.indexOf('@')
  const named = at < 0 ? reference : reference.slice(0, at)
  const colon = named.lastIndexOf(':')
  const hasTag = colon > named.lastIndexOf('/')
  return {
    repository: hasTag ? named.slice(0, colon) : named,
    tag: hasTag ? named.slice(colon + 1) : undefined,
    digest: at < 0 ? undefined : reference.slice(at + 1),
  }
}

/** Characters of a digest or an ID that people see: `sha256:` and 12 digits. */
const shortLength = 19

/** Returns the beginning of the digest of `nginx@sha256:…`, or of an ID. */
export const shortDigest = (image: string): string =>
  (splitReference(image).digest ?? image).slice(0, shortLength)
