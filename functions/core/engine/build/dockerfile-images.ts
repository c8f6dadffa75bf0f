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
  // Which builder reads it is decided by other signs: what either would use counts.
  const found = [true, false].map((documents) => imagesIn(dockerfileLines(text, documents), given))
  return found.every((images) => images !== undefined) ? [...new Set(found.flat())] : undefined
}

function imagesIn(lines: DockerfileLines, given: Reading['given']): string[] | undefined {
  if (!lines.instructions.some(({ word }) => word === 'FROM')) return undefined
  const reading: Reading = { given, meta: builtIn(), values: null, stages: new Set(), count: 0 }
  const images = new Set<string>(lines.syntax === undefined ? [] : [lines.syntax])
  for (const instruction of lines.instructions) {
    const found = read(reading, instruction)
    if (!found) return undefined
    for (const image of found) images.add(image)
  }
  return [...images]
}

/** BuildKit sets these itself, to what is not known here. */
const builtIn = (): Reading['meta'] =>
  new Map(
    ['BUILD', 'TARGET'].flatMap((kind) =>
      ['PLATFORM', 'OS', 'ARCH', 'VARIANT', 'OSVERSION', 'STAGE'].map((name) => [
        kind + name,
        null,
      ]),
    ),
  )

interface Reading {
  given: Readonly<Record<string, string | null>>
  /** Arguments before the first stage, which are all that a `FROM` knows. */
  meta: Map<string, string | null>
  /** Arguments of the stage, with those; null before the first stage. */
  values: Map<string, string | null> | null
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

function readArgument({ given, meta, values }: Reading, { rest }: Instruction): void {
  const known = values ?? meta
  for (const [name, fallback] of argumentPairs(rest)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    if (own !== undefined && own !== null) known.set(name, own)
    else if (fallback !== undefined) known.set(name, expandWord(fallback, known) ?? null)
  }
}

function readFrom(reading: Reading, { rest }: Instruction): string[] | undefined {
  const [word = '', as, name] = rest.trim().split(/\s+/)
  reading.values = null
  const found = sources(reading, [word])
  reading.values = new Map(reading.meta)
  reading.stages.add(String(reading.count))
  reading.count += 1
  if (as?.toLowerCase() === 'as' && name) reading.stages.add(name.toLowerCase())
  return found
}

/**
 * Without stages and `scratch`. A word that has nothing in it names no image. Some builders know
 * the arguments of a stage in `--from`, some only those before it: both count.
 */
function sources(
  { meta, values, stages }: Reading,
  words: readonly string[],
): string[] | undefined {
  const known = values ? [meta, values] : [meta]
  const expanded = words.flatMap((word) => known.map((one) => expandWord(word, one)))
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
