const shownMax = 100
const charactersMax = 500

/** The warnings of a deployment as they are kept: each once, and no more or longer ones than anybody reads. */
export function warningsOf(...sources: readonly (readonly string[])[]): string[] {
  const texts = new Set(sources.flat().map((text) => text.slice(0, charactersMax)))
  if (texts.size <= shownMax) return [...texts]
  const left = texts.size - shownMax + 1
  return [...[...texts].slice(0, shownMax - 1), `${left} more warnings are not shown`]
}
