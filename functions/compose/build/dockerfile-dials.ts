import { imageName } from '../reference/image-name.ts'
import { registryOf } from '../reference/registry-address.ts'
import { registryProblem } from '../reference/registry-problem.ts'
import { dockerfileImages } from './dockerfile-images.ts'
import type { Instruction } from './dockerfile-lines.ts'
import { expansions, type PossibleValues, possibleValues } from './possible-values.ts'
import type { Dockerfile } from './read-dockerfile.ts'

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
 * a frontend other than Docker's own, or a line that cannot be judged. Without a problem, the
 * images include all of `dockerfileImages`.
 */
export function dockerfileDials(
  dockerfile: Dockerfile,
  given: Readonly<Record<string, string | null>>,
  registries: readonly string[],
): DockerfileDials {
  const { instructions, frontends, problem: unread } = dockerfile.possible
  if (unread !== undefined) return { images: [], problem: unread }
  const values = possibleValues(dockerfile.possible, given)
  if (typeof values === 'string') return { images: [], problem: values }
  const images = new Set<string>()
  let problem = frontendProblem(frontends)
  for (const line of instructions) {
    const named = imagesOf(line, values)
    for (const image of named ?? []) images.add(image)
    problem ??= lineProblem(line, named, registries)
  }
  const known = new Set([...images, ...frontends])
  const unjudged = dockerfileImages(dockerfile, given)?.find((image) => !known.has(image))
  if (unjudged !== undefined) problem ??= `where the image ${unjudged} is used cannot be determined`
  const stages = stagesOf(instructions)
  return { images: [...images].filter((image) => !stages(image)), problem }
}

/**
 * Returns a function that tells whether a name is that of a stage. A name of four or more
 * hexadecimal digits is not: builders may take it for the ID of an image.
 */
function stagesOf(lines: readonly Instruction[]): (image: string) => boolean {
  const names = lines.flatMap(({ word, text }) => {
    const [, name] = (word === 'FROM' && /\sas\s+(\S+)\s*$/i.exec(text)) || []
    return name === undefined ? [] : [name.toLowerCase()]
  })
  const known = new Set(names)
  return (image) =>
    !/^[0-9a-f]{4,}$/.test(image) && (/^\d+$/.test(image) || known.has(image.toLowerCase()))
}

function lineProblem(
  { line, word, text }: Instruction,
  images: readonly string[] | undefined,
  registries: readonly string[],
): string | undefined {
  const shown = `\`${word} ${text.slice(0, 100)}\``
  if (!images) return `line ${line}: the image that ${shown} refers to cannot be determined`
  if (word === 'ADD' && addsAddress(text)) {
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

/** Matches a variable that only the builder knows. */
const setByBuilder = /\$\{?(?:BUILD|TARGET)/

function imagesOf({ word, text }: Instruction, values: PossibleValues): string[] | undefined {
  const found = wordsOf(word, text)?.map((one) => expansions(one, values))
  if (!found?.every((one) => one !== undefined)) return undefined
  if (word === 'FROM' && !found.flat().some(Boolean) && !setByBuilder.test(text)) return undefined
  const images = found.flat().filter((one) => one !== '' && one !== 'scratch')
  // Builders may interpret a character that no reference has.
  return images.every((image) => /^[\w./:@-]+$/.test(image)) ? images : undefined
}

/**
 * Matches a `FROM` whose words all builders see alike: some split it within letters outside of
 * ASCII, and none at spaces that are quoted or escaped.
 */
const plainBase = /^(?:[ \t!#-&(-[\]-_a-~]|"[^\s"'\\`]*"|'[^\s"'\\`]*')*$/

/** Returns undefined if builders differ in which word is the reference. */
function wordsOf(word: string, text: string): string[] | undefined {
  const rest = plain(text)
  switch (word) {
    case 'FROM':
      if (!plainBase.test(text)) return undefined
      // Some builders take the next word for the value of a flag without one.
      if (/^(--\S+\s+)*--[^\s=]+(\s|$)/.test(rest)) return undefined
      return rest
        .split(/\s+/)
        .filter((one) => !one.startsWith('--'))
        .slice(0, 1)
    case 'COPY':
    case 'ADD':
      return [...rest.matchAll(/--from[=\s]\s*(\S+)/gi)].map(([, image = '']) => image)
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
  // Builders split flags within letters outside of ASCII.
  const sources = words.filter((word) => !/^--[!-~]*$/.test(word)).slice(0, -1)
  return sources.some((word) => word.includes('$') && !/^[\w-]*[./]/.test(word))
}

const dockerFrontends = new Set([
  'docker.io/docker/dockerfile',
  'docker.io/docker/dockerfile-upstream',
])

/**
 * Returns what is wrong with the frontend of a Dockerfile. A frontend other than Docker's own can
 * make the builder fetch anything.
 */
function frontendProblem(frontends: readonly string[]): string | undefined {
  const other = frontends.find((image) => !isDockerFrontend(image))
  return other && `\`# syntax=${other.slice(0, 100)}\` is not docker/dockerfile`
}

/**
 * Returns whether a frontend of the builder is Docker's own, which fetches only what the Dockerfile
 * says.
 */
export const isDockerFrontend = (image: string): boolean =>
  dockerFrontends.has(imageName(image).repository)
