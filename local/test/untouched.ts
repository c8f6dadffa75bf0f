import { importsOf } from '../rules/imports.ts'
import type { Source } from '../rules/source.ts'
import { tierOf } from './tiers.ts'

/** Files that every test depends on. */
const everything =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|vitest\.config\.ts|\.ci\/|local\/(?:test|setup|harness\/(?:service|docker|store))\b|local\/(?:test|build)\.mjs)/

/**
 * Files that no engine test reads, unless it names them. Records of runs are among them: they always
 * differ from the commit that they are of.
 */
const nothing =
  /^(?:docs\/|\.github\/|[^/]+\.md$|LICENSE$|local\/(?:bench|mutation|soak)\/|local\/test\/[^/]+\.json$)/

/** What is never left out: the main job, owners and access. */
const always =
  /(?:main-job|owners|own-installation|shared-things|forged-labels|access|authorisation)\.engine\.test\.ts$/

/** The programs that tests start, and by which text a test or its harness starts one. */
const programs = [
  {
    entries: [
      ...['adapters/node/start/main.ts', 'adapters/node/compose-worker/worker.ts'],
      ...['adapters/sqlite/thread.ts', 'adapters/agent/main.ts', 'cli/main.ts'],
      ...['adapters/node/restore/main.ts', 'adapters/node/transfer/main.ts'],
    ],
    startedBy: /\bdist\b/,
  },
  { entries: ['web/main.tsx'], startedBy: /playwright-core|puppeteer-core|dist\/web/ },
]

const manifest = 'serverless.ts'
const route = /^\s*'[A-Z]+\s+(\/[a-z-]+)[^']*':\s*\(\) => import\('\.\/([^']+)'\)/gm

/**
 * Returns the paths of the engine tests that a change cannot break. A test depends on what it
 * imports, on the programs that it starts, on the endpoints whose routes it names, and on the pages
 * that it names, whose commands it runs. A change of a file that is none of these counts for every
 * test.
 *
 * @param sources every source file of the project
 * @param changed paths of the changed files
 */
export function untouchedTests(sources: readonly Source[], changed: readonly string[]): string[] {
  const relevant = changed.filter((path) => !nothing.test(path))
  const tests = sources.filter(({ path }) => tierOf(path) === 'engine' && !always.test(path))
  const graph = new Graph(sources)
  const isKnown = (path: string) => graph.has(path)
  if (relevant.some((path) => everything.test(path) || !isKnown(path))) return []
  const isChanged = (paths: ReadonlySet<string>) => relevant.some((path) => paths.has(path))
  const broken = programs.filter(({ entries }) => isChanged(graph.from(entries, manifest)))
  const routes = routesOf(sources).filter(({ file }) => isChanged(graph.from([file])))
  const words = new Set(routes.map(({ word }) => word))
  const pages = changed.filter((path) => path.startsWith('docs/'))
  const canBreak = ({ path }: Source) => {
    const reached = graph.from([path])
    const texts = [...reached].filter(isOfTests).map((one) => graph.textOf(one))
    return (
      isChanged(reached) ||
      broken.some(({ startedBy }) => texts.some((text) => startedBy.test(text))) ||
      texts.some((text) => wordsIn(text).some((word) => words.has(word))) ||
      pages.some((page) => graph.textOf(path).includes(`'${page}'`))
    )
  }
  return tests.filter((test) => !canBreak(test)).map(({ path }) => path)
}

const isOfTests = (path: string) => path.startsWith('local/') || path.endsWith('.test.ts')

/** Returns the first word of each route, such as `/stacks`, with the file of its endpoint. */
function routesOf(sources: readonly Source[]): { word: string; file: string }[] {
  const text = sources.find(({ path }) => path === manifest)?.text ?? ''
  return [...text.matchAll(route)].map(([, word = '', file = '']) => ({ word, file }))
}

const wordsIn = (text: string) => text.match(/\/[a-z]+(?:-[a-z]+)*/g) ?? []

/** Which files import which. Types are erased, so that a change of one breaks no test. */
class Graph {
  readonly #texts: ReadonlyMap<string, string>
  readonly #imports = new Map<string, string[]>()

  constructor(sources: readonly Source[]) {
    this.#texts = new Map(sources.map(({ path, text }) => [path, text]))
    for (const source of sources) {
      const real = importsOf(source).filter(({ isPackage, typeOnly }) => !isPackage && !typeOnly)
      this.#imports.set(
        source.path,
        real.map(({ target }) => target),
      )
    }
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  textOf(path: string): string {
    return this.#texts.get(path) ?? ''
  }

  /** Returns these files and all that they import, without what `end` imports. */
  from(paths: readonly string[], end?: string): Set<string> {
    const reached = new Set<string>()
    const waiting = [...paths]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue
      reached.add(path)
      if (path !== end) waiting.push(...(this.#imports.get(path) ?? []))
    }
    return reached
  }
}
