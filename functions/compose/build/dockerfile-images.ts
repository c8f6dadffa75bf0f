import { ownEntry } from '../lookup.ts'
import { type Instruction, splitFlags } from './dockerfile-lines.ts'
import { argumentPairs, expandWord } from './dockerfile-words.ts'
import type { Dockerfile } from './read-dockerfile.ts'

/**
 * Returns the references of all images that a Dockerfile uses: `FROM`, `# syntax=`, `COPY --from=`
 * and `RUN --mount=from=`. Variables are replaced by the build's arguments, and its own stages are
 * left out. Returns undefined if the references cannot be determined.
 */
export function dockerfileImages(
  { syntax, readings }: Dockerfile,
  given: Readonly<Record<string, string | null>> = {},
): string[] | undefined {
  const found = readings.map((instructions) => imagesIn(instructions, syntax, given))
  return found.every((images) => images !== undefined) ? [...new Set(found.flat())] : undefined
}

function imagesIn(
  instructions: readonly Instruction[],
  syntax: string | undefined,
  given: Reading['given'],
): string[] | undefined {
  if (!instructions.some(({ word }) => word === 'FROM')) return undefined
  const reading: Reading = { given, meta: builtIn(), values: null, stages: new Set(), count: 0 }
  const images = new Set<string>(syntax === undefined ? [] : [syntax])
  for (const instruction of instructions) {
    const found = read(reading, instruction)
    if (!found) return undefined
    for (const image of found) images.add(image)
  }
  return [...images]
}

/** BuildKit sets these itself, to values that are not known here. */
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
  /** Arguments before the first stage. A `FROM` can use no others. */
  meta: Map<string, string | null>
  /**
   * Arguments of the current stage, including those before the first stage; null before the first
   * stage.
   */
  values: Map<string, string | null> | null
  /** Names of the stages so far, in lower case. */
  stages: Set<string>
  count: number
}

/** Returns the images that an instruction uses, or undefined if they cannot be determined. */
function read(reading: Reading, instruction: Instruction): string[] | undefined {
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

function readArgument({ given, meta, values }: Reading, instruction: Instruction): void {
  const { rest } = splitFlags(instruction)
  const known = values ?? meta
  for (const [name, fallback] of argumentPairs(rest)) {
    const own = ownEntry(given, name)
    if (own !== undefined && own !== null) known.set(name, own)
    else if (fallback !== undefined) known.set(name, expandWord(fallback, known) ?? null)
  }
}

function readFrom(reading: Reading, instruction: Instruction): string[] | undefined {
  const { rest } = splitFlags(instruction)
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
 * Returns the images that words refer to, without stages and `scratch`. A word that expands to
 * nothing refers to no image. Builders differ in whether `--from` can use the arguments of a stage
 * or only those before the first stage, so both count.
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

const flagValues = (instruction: Instruction, name: string) =>
  splitFlags(instruction)
    .flags.filter((flag) => flag.startsWith(`${name}=`))
    .map((flag) => flag.slice(name.length + 1))

const mountSources = (mount: string) =>
  mount
    .replaceAll('"', '')
    .split(',')
    .filter((field) => field.startsWith('from='))
    .map((field) => field.slice('from='.length))
