import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import config from '../../vitest.config.ts'
import { importsOf } from '../rules/imports.ts'
import { type Source, sourcesUnder } from '../rules/source.ts'
import { recordedDurations } from './durations.mjs'
import { isolatedTests, tierOf } from './tiers.ts'

const rooms = ['functions', 'adapters', 'cli', 'web', 'openapi', 'local', 'packages', 'packaging']
const tests = rooms.flatMap((room) => sourcesUnder(room, ['.test.ts']))

test.each([
  ['functions/stacks/list.test.ts', 'unit'],
  ['adapters/docker/build/build.engine.test.ts', 'engine'],
  ['local/scenarios/killed-verbs.timing.test.ts', 'timing'],
])('%s belongs to the tier %s', (path, tier) => expect(tierOf(path)).toBe(tier))

test('every file of the timing tier starts with its reason', () => {
  const timing = tests.filter(({ path }) => tierOf(path) === 'timing')
  expect(timing).not.toEqual([])
  const silent = timing.filter(({ text }) => !/^\/\*\* Timing: [^*]{10,}\*\/\n/.test(text))
  expect(silent.map(({ path }) => path)).toEqual([])
})

/** Seconds of processor time that a file may use without a reason. */
const cheap = 60

test('every file that uses much processor time starts with its reason', () => {
  const { files } = present(recordedDurations().processor)
  const costly = tests.filter(({ path }) => (files[path] ?? 0) > cheap)
  const silent = costly.filter(
    ({ text }) => !/^\/\*\* (?:Timing|Costs): [^*]{10,}\*\/\n/.test(text),
  )
  expect(silent.map(({ path }) => path)).toEqual([])
})

/** Parts of the harness that start programs, or use the Engine or the store of the test run. */
const real =
  /^local\/harness\/(?:agent|dynamo-table|docker|dynamo-world|engine|machine|netns|own-store|real-engine-world|registry|s3-server|service|ssh-server|sqlite-store)\.ts$/

/** An assertion on how long something took, or on how much memory it had. */
const measured =
  /expect\(\s*(?:(?:performance|Date)\.now|processorTime)\(\) - \w+,?\s*\)\.toBeLess|process\.memoryUsage/

const browser = /^import .* from '(?:playwright|puppeteer)/m

function offences(source: Source): string[] {
  const reasons = importsOf(source)
    .filter(({ target, typeOnly }) => real.test(target) && !typeOnly)
    .map(({ target }) => `imports ${target}`)
  if (measured.test(source.text)) reasons.push('measures time or memory')
  if (browser.test(source.text)) reasons.push('uses a browser')
  return reasons.map((reason) => `${source.path} ${reason}`)
}

test('unit tests use no Engine, store, program or browser, and measure nothing', () => {
  expect(tests.filter(({ path }) => tierOf(path) === 'unit').flatMap(offences)).toEqual([])
})

test.each([
  ["import { startIn } from '../harness/service.ts'"],
  ["import { dynamoTable } from '../harness/dynamo-table.ts'"],
  [`expect(${'Date'}.now() - start).toBeLessThan(5)`],
  [`expect(${'processorTime'}() - start).toBeLessThan(5)`],
  [`${'import'} { chromium } from 'playwright-core'`],
])('finds a unit test of another tier: %s', (text) => {
  expect(offences({ path: 'local/a/b.test.ts', text })).toHaveLength(1)
})

test('property tests check the same cases in every run', () => {
  const unseeded = tests.filter(({ text }) => /^import .* from 'fast-check'/m.test(text))
  expect(unseeded.map(({ path }) => path)).toEqual([])
})

test('vitest repeats no test that failed', () => {
  const { projects, ...common } = present(config.test)
  const all = [common, ...present(projects).map((project) => (project as { test: object }).test)]
  for (const options of all) expect(options).not.toHaveProperty('retry')
})

/** Changes that the next test file in the same process would notice. */
const lasting =
  /\bvi\.(?:do)?(?:mock|stub|setSystemTime|useFakeTimers|setConfig)|\bprocess\.(?:on\(|chdir|env\.\w+ =[^=])|\bglobalThis\.\w+ =[^=]/i

test('tests that share a process leave nothing changed', () => {
  const changing = tests.filter(({ path, text }) => tierOf(path) !== 'timing' && lasting.test(text))
  expect(changing.map(({ path }) => path).sort()).toEqual(isolatedTests)
})

test.each([
  "vi.mock('./a.ts')",
  "vi.stubEnv('A', '1')",
  'vi.useFakeTimers()',
  "process.env.A = '1'",
  'process.on(signal, act)',
  'globalThis.fetch = none',
])('finds lasting changes: %s', (text) => expect(text).toMatch(lasting))

/** A limit of a wait that is the same on a slow machine. */
const unpaced =
  /\.poll\([^;]*?\{ timeout: \d|waitFor\([^;]*?timeout: \d|waitFor\([^;]*?, \d[\d_]{3,}\)/

test('limits of waits on the Engine, the store and programs grow with the pace of the machine', () => {
  const slow = tests.filter(({ path }) => tierOf(path) !== 'unit')
  expect(slow.filter(({ text }) => unpaced.test(text)).map(({ path }) => path)).toEqual([])
})

test.each([
  'await expect.poll(statusOf, { timeout: 60_000 }).toBe(200)',
  "await bar.waitFor({ state: 'detached', timeout: 60_000 })",
  'await vi.waitFor(() => expect(left()).toBe(0), 60_000)',
])('finds a limit that does not grow: %s', (text) => expect(text).toMatch(unpaced))
