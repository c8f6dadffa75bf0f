import { posix } from 'node:path'
import type { Source } from '../rules/source.ts'
import { ImportGraph } from './import-graph.ts'
import { manifest, routesOf } from './named-files.ts'
import { tierOf } from './tiers.ts'

/** Files that every test depends on. */
const everything =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|vitest\.config\.ts|\.ci\/|local\/(?:test|setup|harness\/(?:service|docker|store|lived-in))\b|local\/(?:test|build)\.mjs)/

/**
 * Files that no test reads, unless it names them. Records of runs are among them: they always
 * differ from the commit that they are of.
 */
const nothing =
  /^(?:docs\/|\.github\/|[^/]+\.md$|LICENSE$|local\/(?:bench|mutation|soak)\/|local\/test\/[^/]+\.json$)/

/** What is never left out: the main job, owners and access. */
const always =
  /(?:main-job|owners|own-installation|shared-things|forged-labels|access|authorisation)\.engine\.test\.ts$/

/**
 * The programs that tests start, by which text a test or its harness starts one, and the tests that
 * show most of it.
 */
export const programs = [
  {
    entries: [
      ...['adapters/node/start/main.ts', 'adapters/node/compose-worker/worker.ts'],
      ...['adapters/sqlite/thread.ts', 'adapters/agent/main.ts', 'cli/main.ts'],
      ...['adapters/node/restore/main.ts', 'adapters/node/transfer/main.ts'],
    ],
    startedBy: /\bdist\b/,
    mainTests: ['local/scenarios/main-job.engine.test.ts'],
  },
  {
    entries: [
      ...['web/main.tsx', 'web/styles/main.css', 'web/styles/fonts.css'],
      ...['web/styles/reset.css', 'web/styles/tokens.css'],
    ],
    startedBy: /playwright-core|puppeteer-core|dist\/web/,
    mainTests: [
      'local/journeys/first-day.engine.test.ts',
      'local/journeys/pictures.engine.test.ts',
    ],
  },
]

/** Unit tests that read files without importing or naming each of them. */
export const readersOfMany: Readonly<Record<string, { reads: RegExp; reason: string }>> = {
  'local/rules.test.ts': { reads: /\.(?:[jt]sx?|m[jt]s|md)$/, reason: 'checks every source' },
  'local/documents.test.ts': {
    reads: /\.md$|^(?:functions|adapters|cli|local|web\/text|examples)\//,
    reason: 'compares the pages with the sources',
  },
  'local/test/tiers.test.ts': { reads: /\.test\.ts$/, reason: 'checks every test file' },
  'local/test/untouched.test.ts': { reads: /\.test\.ts$/, reason: 'finds tests that read much' },
  'local/test/first-answer.test.ts': {
    reads: /\.test\.ts$|^serverless\.ts$|^cli\/commands\.ts$|^web\/frame\/routes\.ts$/,
    reason: 'chooses among the tests of this tree',
  },
  'local/mutation/lists.test.ts': {
    reads: /^(?:functions|adapters|local)\//,
    reason: 'finds the checks that mutations remove, and the tests of each',
  },
  'local/harness/lambda/exceptions.test.ts': {
    reads: /^local\/scenarios\//,
    reason: 'finds the tests of scenarios that it names',
  },
  'packaging/build/web/budgets.test.ts': { reads: /^web\//, reason: 'builds the browser UI' },
}

/**
 * Returns whether a change can break a test file. A test depends on what it imports and on the
 * files that it names. Tests in `readersOfMany` depend on more. An engine or timing test also
 * depends on the programs that it starts and on the endpoints whose routes it names. A change of a
 * file that is none of these counts for every test.
 *
 * @param sources every source file of the project
 * @param changed paths of the changed files
 */
export function canBreak(
  sources: readonly Source[],
  changed: readonly string[],
): (test: Source) => boolean {
  const graph = new ImportGraph(sources)
  const relevant = changed.filter((path) => !nothing.test(path))
  if (relevant.some((path) => everything.test(path) || !graph.has(path))) return () => true
  const isChanged = (paths: ReadonlySet<string>) => changed.some((path) => paths.has(path))
  const broken = programs.filter(({ entries }) => isChanged(graph.from(entries, manifest)))
  const routes = routesOf(sources).filter(({ file }) => isChanged(graph.from([file])))
  const words = new Set(routes.map(({ address }) => wordsIn(address)[0]))
  const startsChanged = (text: string) =>
    broken.some(({ startedBy }) => startedBy.test(text)) ||
    wordsIn(text).some((word) => words.has(word))
  return (test) => {
    const reached = graph.from([test.path])
    if (isChanged(reached) || namesOne(test, changed)) return true
    if (tierOf(test.path) === 'unit') return readsOne(test.path, changed)
    return [...reached].filter(isOfTests).some((path) => startsChanged(graph.textOf(path)))
  }
}

/**
 * Returns the paths of the engine tests that a change cannot break, without those that are never
 * left out.
 *
 * @param sources every source file of the project
 * @param changed paths of the changed files
 */
export function untouchedTests(sources: readonly Source[], changed: readonly string[]): string[] {
  const isBroken = canBreak(sources, changed)
  return sources
    .filter(({ path }) => tierOf(path) === 'engine' && isTestFile(path) && !always.test(path))
    .filter((test) => !isBroken(test))
    .map(({ path }) => path)
}

export const isTestFile = (path: string) => path.endsWith('.test.ts')

/** Returns whether a test file reads a changed file without naming it. */
export const readsOne = (path: string, changed: readonly string[]) =>
  changed.some((one) => readersOfMany[path]?.reads.test(one))

/** Returns whether a test names a changed file that it cannot import, such as a page. */
export const namesOne = ({ path, text }: Source, changed: readonly string[]) =>
  changed.some((one) => {
    const isBeside = posix.dirname(one) === posix.dirname(path)
    const name = isBeside ? posix.basename(one) : one
    return !isSource(one) && text.includes(`${name}'`)
  })

const isSource = (path: string) => /\.(?:[jt]sx?|m[jt]s)$/.test(path)

const isOfTests = (path: string) => path.startsWith('local/') || isTestFile(path)

const wordsIn = (text: string) => text.match(/\/[a-z]+(?:-[a-z]+)*/g) ?? []
