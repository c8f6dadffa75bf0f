import { imageName } from '../reference/image-name.ts'
import { registryOf } from '../reference/registry-address.ts'
import { registryProblem } from '../reference/registry-problem.ts'
import { type PossibleLine, possibleLines } from './possible-lines.ts'
import { expansions, type PossibleValues, possibleValues } from './possible-values.ts'

/**
 * Maximum length of a Dockerfile that callers without `stacks:privileged` may build, in characters.
 */
const longest = 100_000

/** The addresses that a Dockerfile may make a builder dial. */
export interface DockerfileDials {
  /**
   * References of images, including those on lines that only some builders take for instructions.
   */
  images: string[]
  /** Why a caller without `stacks:privileged` may not build it; undefined if the caller may. */
  problem: string | undefined
}

/**
 * Returns every address that a Dockerfile may make any builder dial, and the first problem for
 * callers without `stacks:privileged`: an address in `ADD`, a registry that is not in `registries`,
 * or a frontend other than Docker's own.
 */
export function dockerfileDials(
  text: string,
  given: Readonly<Record<string, string | null>>,
  registries: readonly string[],
): DockerfileDials {
  if (text.length > longest) {
    return { images: [], problem: `it is longer than ${longest} characters` }
  }
  const lines = possibleLines(text)
  const values = lines && possibleValues(text, lines, given)
  if (!lines || !values)
    return { images: [], problem: 'the addresses that it accesses cannot be determined' }
  const images: string[] = []
  let problem = frontendProblem(text)
  for (const line of lines) {
    const named = imagesOf(line, values)
    images.push(...(named ?? []))
    problem ??= lineProblem(line, named, registries)
  }
  const stages = stagesOf(lines)
  return { images: [...new Set(images)].filter((image) => !stages(image)), problem }
}

/**
 * Returns a function that tells whether a name is that of a stage. A name of four or more
 * hexadecimal digits is not: builders may take it for the ID of an image.
 */
function stagesOf(lines: readonly PossibleLine[]): (image: string) => boolean {
  const names = lines.flatMap(({ word, rest }) => {
    const [, name] = (word === 'FROM' && /\sas\s+(\S+)\s*$/i.exec(rest)) || []
    return name === undefined ? [] : [name.toLowerCase()]
  })
  const known = new Set(names)
  return (image) =>
    !/^[0-9a-f]{4,}$/.test(image) && (/^\d+$/.test(image) || known.has(image.toLowerCase()))
}

function lineProblem(
  { word, rest }: PossibleLine,
  images: readonly string[] | undefined,
  registries: readonly string[],
): string | undefined {
  const shown = `\`${word} ${rest.slice(0, 100)}\``
  if (!images) return `the image that ${shown} refers to cannot be determined`
  if (word === 'ADD' && addsAddress(rest)) {
    return `${shown} may fetch an address from the network of the host; use \`RUN\` with wget or curl, or begin the path with \`./\``
  }
  for (const image of images) {
    const found = registryProblem(registryOf(image), registries)
    if (found) return `${shown}: ${found}`
  }
  return undefined
}

/** Removes what builders remove from a word: quotes and escapes. */
const plain = (text: string) => text.replaceAll(/["'\\`]/g, '')

function imagesOf({ word, rest }: PossibleLine, values: PossibleValues): string[] | undefined {
  const found = wordsOf(word, plain(rest)).map((one) => expansions(one, values))
  if (!found.every((one) => one !== undefined)) return undefined
  const images = found.flat().filter((one) => one !== '' && one !== 'scratch')
  // Builders may interpret a character that no reference has.
  return images.every((image) => /^[\w./:@-]+$/.test(image)) ? images : undefined
}

function wordsOf(word: string, rest: string): string[] {
  switch (word) {
    case 'FROM':
      return rest
        .split(/\s+/)
        .filter((one) => !one.startsWith('--'))
        .slice(0, 1)
    case 'COPY':
    case 'ADD':
      return [...rest.matchAll(/--from=(\S+)/gi)].map(([, image = '']) => image)
    case 'RUN':
      if (!/--mount/i.test(rest)) return []
      return [...rest.matchAll(/[\s,=]from=([^\s,]+)/gi)].map(([, image = '']) => image)
    default:
      return []
  }
}

/**
 * Returns false only if every source is a path: not an address, and no variable that could begin
 * one.
 */
function addsAddress(rest: string): boolean {
  if (rest.startsWith('[') && rest.includes('\\u')) return true
  const words = plain(rest.replaceAll(/[[\],]/g, ' '))
    .split(/\s+/)
    .filter(Boolean)
  if (words.some((word) => word.includes('://') || /^[\w-]+@[\w.-]+:/.test(word))) return true
  const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1)
  return sources.some((word) => word.includes('$') && !/^[\w-]*[./]/.test(word))
}

const frontend = /(?:#|\/\/)\s*syntax\s*=\s*(\S+)/gi
const ownFrontends = new Set([
  'docker.io/docker/dockerfile',
  'docker.io/docker/dockerfile-upstream',
])

/**
 * Returns what is wrong with the frontend of a Dockerfile. A frontend other than Docker's own can
 * make the builder fetch anything.
 */
function frontendProblem(text: string): string | undefined {
  if (/^\s*\{/.test(text) && /syntax/i.test(text))
    return 'its first line is not valid in a Dockerfile'
  const found = [...text.matchAll(frontend)].map(([, image = '']) => image)
  const other = found.find((image) => !isOwnFrontend(image))
  return other && `\`# syntax=${other.slice(0, 100)}\` is not docker/dockerfile`
}

/**
 * Returns whether a frontend of the builder is Docker's own, which fetches only what the Dockerfile
 * says.
 */
export const isOwnFrontend = (image: string): boolean =>
  ownFrontends.has(imageName(image).repository)
