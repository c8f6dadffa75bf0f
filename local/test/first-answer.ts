import type { Source } from '../rules/source.ts'
import { ImportGraph } from './import-graph.ts'
import { manifest, type NamedFile, namedFiles } from './named-files.ts'
import { type Tier, tierOf } from './tiers.ts'
import { canBreak, isTestFile, namesOne, programs, readersOfMany, readsOne } from './untouched.ts'
import { workers } from './workers.mjs'

/** A test file that a change can break. `steps` says how far it is from the change: 0 is in it. */
export interface TouchedTest {
  path: string
  steps: number
  reason: string
  /** The seconds that it takes of a run, beside others of its tier. */
  seconds: number
}

/** The tests of a first answer, and those that the change can also break. */
export interface FirstAnswer {
  chosen: TouchedTest[]
  leftOut: string[]
}

/**
 * How many files of a tier run at the same time, and the seconds of a file without a record.
 * Journeys are of the engine tier.
 */
const pace: Readonly<Record<Tier, { together: number; short: number }>> = {
  unit: { together: workers.unit, short: 1 },
  engine: { together: workers.journeys, short: 3 },
  timing: { together: workers.timing, short: 3 },
}

/** A change in `functions` is judged by this one early: it calls each endpoint with each role. */
const matrix = 'local/matrix/matrix.test.ts'
const matrixSteps = 2

/** How far the tests are that show most of a changed program. */
const mainTestSteps = 3

/** Pages that only documents have. Their tests need no Engine. */
const isDocument = (path: string) => path.endsWith('.md')

/**
 * Returns the tests that answer first: those nearest to the change, the shorter ones first, as many
 * as fit into `limit` seconds, and at least one. An engine or timing test is chosen only if it
 * imports the change, is named after it, names an endpoint, a command, a screen or a page of it, or
 * shows most of a changed program. If only documents changed, unit tests alone are chosen.
 *
 * @param options.sources every source file of the project
 * @param options.changed paths of the changed files
 * @param options.seconds the recorded seconds of the longer test files
 */
export function firstAnswer(options: {
  sources: readonly Source[]
  changed: readonly string[]
  seconds: Readonly<Record<string, number>>
  limit: number
}): FirstAnswer {
  const { sources, changed, seconds, limit } = options
  const tests = sources.filter(({ path }) => isTestFile(path))
  const touch = touches(sources, changed)
  const touched = tests.flatMap((test): TouchedTest[] => {
    const { together, short } = pace[tierOf(test.path)]
    const found = touch(test)
    const taken = (seconds[test.path] ?? short) / together
    return found ? [{ path: test.path, ...found, seconds: taken }] : []
  })
  const chosen = withinLimit(touched.sort(nearestFirst), limit)
  const paths = new Set(chosen.map(({ path }) => path))
  const others = tests.filter(({ path }) => !paths.has(path)).filter(canBreak(sources, changed))
  return { chosen, leftOut: others.map(({ path }) => path) }
}

/** Unit tests come before others that are as near, and shorter ones before longer ones. */
function nearestFirst(a: TouchedTest, b: TouchedTest): number {
  const rank = ({ path }: TouchedTest) => (tierOf(path) === 'unit' ? 0 : 1)
  return (
    a.steps - b.steps || rank(a) - rank(b) || a.seconds - b.seconds || (a.path < b.path ? -1 : 1)
  )
}

function withinLimit(tests: readonly TouchedTest[], limit: number): TouchedTest[] {
  let sum = 0
  return tests.filter(({ seconds }, index) => {
    if (sum + seconds > limit && index > 0) return false
    sum += seconds
    return true
  })
}

type Touch = Pick<TouchedTest, 'steps' | 'reason'>

/** Returns a function that returns how a change touches a test, or undefined if nothing says so. */
function touches(
  sources: readonly Source[],
  changed: readonly string[],
): (test: Source) => Touch | undefined {
  const graph = new ImportGraph(sources)
  const steps = graph.stepsTo(changed)
  const stepsBesideRoutes = graph.stepsTo(changed, manifest)
  const named = namedFiles(sources).filter(({ file }) => steps.has(file))
  const broken = programs.filter(({ entries }) => entries.some((entry) => steps.has(entry)))
  const mainTests = broken.flatMap((program) => program.mainTests)
  const onlyUnit = changed.every(isDocument)
  return (test) => {
    const { path } = test
    const isUnit = tierOf(path) === 'unit'
    if (changed.includes(path)) return { steps: 0, reason: 'changed' }
    if (onlyUnit && !isUnit) return undefined
    const found = [
      importing((isUnit ? steps : stepsBesideRoutes).get(path)),
      path === matrix && steps.has(path)
        ? { steps: matrixSteps, reason: 'calls each endpoint with each role' }
        : undefined,
      namesOne(test, changed) ? { steps: 1, reason: 'names it' } : undefined,
      readsOne(path, changed) ? { steps: 1, reason: readersOfMany[path]?.reason ?? '' } : undefined,
      isUnit ? undefined : naming(test, named, steps),
      isNamedAfter(path, changed) ? { steps: 1, reason: 'is named after it' } : undefined,
      mainTests.includes(path)
        ? { steps: mainTestSteps, reason: 'shows most of a program that it changes' }
        : undefined,
    ].filter((one) => one !== undefined)
    return found.sort((a, b) => a.steps - b.steps)[0]
  }
}

const importing = (steps: number | undefined): Touch | undefined =>
  steps === undefined ? undefined : { steps, reason: steps === 1 ? 'imports it' : 'reaches it' }

/** Folders with tests of the whole service, each of which may be named after what it tries. */
const ofService = /^local\/(?:scenarios|journeys|matrix|holes)\//

/**
 * Returns whether a test of the whole service has the name of a changed file, or of the folder that
 * it is in, such as `local/matrix/owners.test.ts` that of `functions/core/owners`.
 */
function isNamedAfter(test: string, changed: readonly string[]): boolean {
  if (!ofService.test(test)) return false
  const nameOf = (path: string) => path.split('/').at(-1)?.split('.')[0] ?? ''
  return changed.some((path) => [nameOf(path), path.split('/').at(-2)].includes(nameOf(test)))
}

/** Returns how a test names an endpoint, a command or a screen that reaches the change. */
function naming(
  { path, text }: Source,
  named: readonly NamedFile[],
  steps: ReadonlyMap<string, number>,
): Touch | undefined {
  const isJourney = path.startsWith('local/journeys/')
  const found = named
    .filter(({ file, pattern }) => (isJourney || !file.startsWith('web/')) && pattern.test(text))
    .map(({ file, name }) => ({ steps: 1 + (steps.get(file) ?? 0), reason: `names ${name}` }))
  return found.sort((a, b) => a.steps - b.steps)[0]
}
