import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { frame } from '../../../web/text/en-frame.ts'
import { bundleWeb, outputOf, workers } from './bundle.mjs'
import { firstScreenOf, lazyParts, sizeOf } from './measure.mjs'

const kilo = 1000
/** Packages that may make a lazy part larger than a screen, and to what. */
const packages = { '@codemirror/': 155, '@xterm/': 140, 'uplot/': 25 }
const screen = 41

/** Returns the bytes that a lazy entry may load. A screen keeps its own budget beside a chart. */
function budgetOf(entry: string, inputs: readonly string[]): number {
  const used = Object.entries(packages).filter(([name]) =>
    inputs.some((input) => input.startsWith(`node_modules/${name}`)),
  )
  const isScreen = entry.startsWith('web/screens/')
  const known = used.map(([, budget]) => budget)
  return kilo * (known.length === 0 ? screen : Math.max(...known, isScreen ? screen : 0))
}

let bundle: Awaited<ReturnType<typeof bundleWeb>>

beforeAll(async () => {
  bundle = await bundleWeb(workers)
})

test('the first screen has at most 60 kB of JavaScript and 15 kB of CSS', () => {
  const script = sizeOf(bundle, firstScreenOf(bundle)).gzip
  const styles = sizeOf(bundle, [outputOf(bundle.outputs, 'web/styles/main.css')]).gzip
  expect(script).toBeGreaterThan(10 * kilo)
  expect(script).toBeLessThanOrEqual(60 * kilo)
  expect(styles).toBeGreaterThan(kilo)
  expect(styles).toBeLessThanOrEqual(15 * kilo)
})

test('the first screen reads only texts that are there from the start', () => {
  const inputs = [...firstScreenOf(bundle)].flatMap((path) =>
    Object.keys(bundle.outputs[path]?.inputs ?? {}),
  )
  const read = inputs
    .filter((path) => /^web\/.*\.tsx?$/.test(path))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\bt\.(\w+)/g)])
  const groups = new Set(read.map(([, group]) => group))
  expect([...groups].filter((group) => !Object.hasOwn(frame, String(group)))).toEqual([])
  expect(groups).toContain('frame')
})

test('what a screen loads beyond the first one is within its budget', () => {
  const parts = lazyParts(bundle)
  expect(parts.map(({ entry }) => entry)).toContain('web/screens/kit.tsx')
  const heavy = parts.filter(({ entry, inputs, gzip }) => gzip > budgetOf(entry, inputs))
  expect(heavy.map(({ entry, gzip }) => ({ entry, gzip }))).toEqual([])
})

test('workers are small', () => {
  const sizes = Object.keys(bundle.workerOutputs).map((path) => ({
    path,
    ...sizeOf(bundle, [path]),
  }))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.filter(({ gzip }) => gzip > 45 * kilo)).toEqual([])
})

// Home screens take 14 kB of it for their icons.
test('everything adds at most 1.55 MB to the package', () => {
  const bytes = bundle.files.map(({ path, contents }) =>
    /\.(?:woff2|png)$/.test(path) ? contents.length : 2 * gzipSync(contents).length,
  )
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1550 * kilo)
})

test('contains no code of the service and no second copy of a package', () => {
  const inputs = Object.values(bundle.outputs).flatMap(({ inputs: of }) => Object.keys(of))
  expect(inputs.filter((path) => /^(?:functions|adapters|cli|openapi)\//.test(path))).toEqual([])
  expect(inputs.filter((path) => /node_modules\/.*node_modules\//.test(path))).toEqual([])
})

test('no file makes a script of a text', () => {
  const scripts = bundle.files.filter((file) => file.path.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  for (const { path, contents } of scripts) {
    expect(Buffer.from(contents).toString(), path).not.toMatch(
      /\bnew Function\(|\beval\(|document\.write\(/,
    )
  }
})
