import { type DockerfileLines, dockerfileLines, type Instruction } from './dockerfile-lines.ts'
import { argumentPairs, expandWord } from './dockerfile-words.ts'

/** Characters of the longest Dockerfile that is read for its references. */
const longest = 1_000_000

/**
 * Returns the references of all images that a Dockerfile names: `FROM`, `# syntax=`,
 * `COPY --from=` and `RUN --mount=from=`, with the build's arguments in place of its variables and
 * without its own stages. Returns undefined for a Dockerfile whose references cannot be told.
 */
export function dockerfileImages(
  text: string,
  given: Readonly<Record<string, string | null>> = {},
): string[] | undefined {
  if (text.length > longest) return undefined
  const lines = dockerfileLines(text)
  if (!lines.instructions.some(({ word }) => word === 'FROM')) return undefined
  const reading: Reading = {
    given,
    values: new Map<string, string | null>(),
    stages: new Set<string>(),
    count: 0,
  }
  const images = new Set<string>(lines.syntax === undefined ? [] : [lines.syntax])
  for (const instruction of lines.instructions) {
    const found = read(reading, instruction)
    if (!found) return undefined
    for (const image of found) images.add(image)
  }
  return [...images]
}

interface Reading {
  given: Readonly<Record<string, string | null>>
  values: Map<string, string | null>
  /** Names of the stages so far, in small letters. */
  stages: Set<string>
  count: number
}

/** The images that one instruction names, or undefined where that cannot be told. */
function read(
  reading: Reading,
  instruction: DockerfileLines['instructions'][number],
): string[] | undefined {
  switch (instruction.word) {
    case 'ARG':
      readArgument(reading, instruction)
      return []
    case 'FROM':
      return readFrom(reading, instruction)
    case 'COPY':
    case 'ADD':
      return sources(reading, flagValues(instruction, 'from'))
    case 'RUN':
      return sources(reading, flagValues(instruction, 'mount').flatMap(mountSources))
    default:
      return []
  }
}

function readArgument({ given, values }: Reading, { rest }: Instruction): void {
  for (const [name, fallback] of argumentPairs(rest)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    if (own !== undefined && own !== null) values.set(name, own)
    else if (fallback !== undefined) values.set(name, expandWord(fallback, values) ?? null)
  }
}

function readFrom(reading: Reading, { rest }: Instruction): string[] | undefined {
  const [word = '', as, name] = rest.trim().split(/\s+/)
  const found = sources(reading, [word])
  reading.stages.add(String(reading.count))
  reading.count += 1
  if (as?.toLowerCase() === 'as' && name) reading.stages.add(name.toLowerCase())
  return found
}

/** Without stages and `scratch`. A word that has nothing in it names no image. */
function sources({ values, stages }: Reading, words: readonly string[]): string[] | undefined {
  const expanded = words.map((word) => expandWord(word, values))
  if (!expanded.every((word) => word !== undefined)) return undefined
  return expanded.filter(
    (word) => word !== '' && word !== 'scratch' && !stages.has(word.toLowerCase()),
  )
}

const flagValues = ({ flags }: Instruction, name: string) =>
  flags.filter((flag) => flag.startsWith(`${name}=`)).map((flag) => flag.slice(name.length + 1))

const mountSources = (mount: string) =>
  mount
    .replaceAll('"', '')
    .split(',')
    .filter((field) => field.startsWith('from='))
    .map((field) => field.slice('from='.length))
