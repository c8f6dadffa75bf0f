const id = /^(?:sha256:)?[0-9a-f]{12,64}$/

/**
 * Returns the names of two images as users write them, or undefined if they are the same or one is
 * not a name: a rollback creates containers from IDs and digests.
 */
export function imageChange(
  before: string | undefined,
  after: string,
): { before: string; after: string } | undefined {
  const names = { before: nameOf(before), after: nameOf(after) }
  if (names.before === undefined || names.after === undefined) return undefined
  return names.before === names.after ? undefined : { before: names.before, after: names.after }
}

/** Returns a reference without its digest; undefined if that says it all, or for an ID. */
function nameOf(reference: string | undefined): string | undefined {
  if (reference === undefined || id.test(reference)) return undefined
  const [name = '', digest] = reference.split('@')
  const hasTag = name.lastIndexOf(':') > name.lastIndexOf('/')
  return digest === undefined || hasTag ? name : undefined
}
