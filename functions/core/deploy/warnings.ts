const shownMax = 100
const charactersMax = 500

/**
 * Returns the warnings to record for a deployment: without duplicates, and limited in number and
 * length.
 */
export function warningsOf(...sources: readonly (readonly string[])[]): string[] {
  const texts = new Set(sources.flat().map((text) => text.slice(0, charactersMax)))
  if (texts.size <= shownMax) return [...texts]
  const left = texts.size - shownMax + 1
  return [...[...texts].slice(0, shownMax - 1), `${left} more warnings are not shown`]
}
