import type { Instruction } from './dockerfile-lines.ts'
import { expansions, type PossibleValues, possibleValues } from './possible-values.ts'
import type { Dockerfile } from './read-dockerfile.ts'

/**
 * Returns the platforms that a Dockerfile may request for its base images, in the widest reading.
 * The builder's own `$BUILDPLATFORM` and `$TARGETPLATFORM` are left out because the build uses
 * these anyway. Returns undefined if a platform cannot be determined.
 */
export function dockerfilePlatforms(
  { possible }: Dockerfile,
  given: Readonly<Record<string, string | null>>,
): string[] | undefined {
  const values = possibleValues(possible, given)
  if (possible.problem !== undefined || typeof values === 'string') return undefined
  const found = possible.instructions
    .filter(({ word }) => word === 'FROM')
    .flatMap((line) => platforms(line, values))
  return found.every((one) => one !== undefined) ? [...new Set(found)] : undefined
}

function platforms({ text }: Instruction, values: PossibleValues): (string | undefined)[] {
  return [...text.matchAll(/--platform=(\S+)/gi)].flatMap(([, platform = '']) => {
    const word = platform.replaceAll(/["'\\`]/g, '')
    const [, own] = /^\$\{?((?:BUILD|TARGET)PLATFORM)\}?$/.exec(word) ?? []
    if (own !== undefined && !values.has(own)) return []
    const expanded = expansions(word, values) ?? [undefined]
    return expanded.map((one) => (one && /^[\w./-]+$/.test(one) ? one.toLowerCase() : undefined))
  })
}
