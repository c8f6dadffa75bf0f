import { type PossibleLine, possibleLines } from './possible-lines.ts'
import { expansions, type PossibleValues, possibleValues } from './possible-values.ts'

/**
 * Returns the platforms that a Dockerfile may request for its base images, in the widest reading.
 * The builder's own `$BUILDPLATFORM` and `$TARGETPLATFORM` are left out because the build uses
 * these anyway. Returns undefined if a platform cannot be determined.
 */
export function dockerfilePlatforms(
  text: string,
  given: Readonly<Record<string, string | null>>,
): string[] | undefined {
  const lines = possibleLines(text)
  const values = lines && possibleValues(text, lines, given)
  if (!lines || !values) return undefined
  const found = lines
    .filter(({ word }) => word === 'FROM')
    .flatMap((line) => platforms(line, values))
  return found.every((one) => one !== undefined) ? [...new Set(found)] : undefined
}

function platforms({ rest }: PossibleLine, values: PossibleValues): (string | undefined)[] {
  return [...rest.matchAll(/--platform=(\S+)/gi)].flatMap(([, text = '']) => {
    const word = text.replaceAll(/["'\\`]/g, '')
    const [, own] = /^\$\{?((?:BUILD|TARGET)PLATFORM)\}?$/.exec(word) ?? []
    if (own !== undefined && !values.has(own)) return []
    const expanded = expansions(word, values) ?? [undefined]
    return expanded.map((one) => (one && /^[\w./-]+$/.test(one) ? one.toLowerCase() : undefined))
  })
}
