import { expect, test } from 'vitest'
import type { Source } from '../rules/source.ts'
import { allSources } from './all-sources.ts'
import { tierOf } from './tiers.ts'
import { canBreak, readersOfMany, untouchedTests } from './untouched.ts'

const files: Record<string, string> = {
  'serverless.ts': `
  'GET    /stacks/{name}': () => import('./functions/stacks/get.ts'),
  'GET    /alerts': () => import('./functions/alerts/list.ts'),`,
  'functions/stacks/get.ts': `import { load } from '../core/load.ts'`,
  'functions/alerts/list.ts': `import type { Load } from '../core/load.ts'`,
  'functions/core/load.ts': '',
  'functions/core/lease.ts': '',
  'adapters/node/start/main.ts': `import '../../../serverless.ts'\nimport '../../../functions/core/lease.ts'`,
  'adapters/blobs/s3.ts': '',
  'adapters/blobs/s3.engine.test.ts': `import { s3 } from './s3.ts'`,
  'web/main.tsx': `import './page.tsx'`,
  'web/page.tsx': '',
  'local/harness/place.ts': `const programs = 'dist/service.js'`,
  'local/bench/one.ts': '',
  'local/scenarios/alerts.engine.test.ts': `import '../harness/place.ts'\nget('/alerts')`,
  'local/scenarios/stacks.engine.test.ts': `import '../harness/place.ts'\nget('/stacks/shop')`,
  'local/scenarios/main-job.engine.test.ts': '',
  'local/scenarios/upgrade.engine.test.ts': `commandsUnder('docs/upgrading.md', 'Go back')`,
  'local/journeys/list.engine.test.ts': `import { chromium } from 'playwright-core'`,
  'functions/stacks/get.test.ts': `import get from './get.ts'`,
  'functions/alerts/list.test.ts': `import list from './list.ts'\nread('docs/alerts.md')`,
  'local/rules.test.ts': '',
  'local/documents.test.ts': '',
}
const sources: Source[] = Object.entries(files).map(([path, text]) => ({ path, text }))
const untouched = (...changed: string[]) =>
  untouchedTests(sources, changed).map((path) => path.replace(/^.*\/|\.engine\.test\.ts$/g, ''))

const all = ['s3', 'alerts', 'stacks', 'upgrade', 'list']

test.each([
  ['no file', [], all],
  ['a page of the documents', ['docs/hosts.md', 'README.md'], all],
  ['a benchmark', ['local/bench/one.ts'], all],
  ['the record of a run', ['local/test/durations.json'], all],
  [
    'a page whose commands one test runs',
    ['docs/upgrading.md'],
    ['s3', 'alerts', 'stacks', 'list'],
  ],
  ['what one test imports', ['adapters/blobs/s3.ts'], ['alerts', 'stacks', 'upgrade', 'list']],
  ['a test itself', ['adapters/blobs/s3.engine.test.ts'], ['alerts', 'stacks', 'upgrade', 'list']],
  [
    'the endpoint of a route that one test names',
    ['functions/core/load.ts'],
    ['s3', 'alerts', 'upgrade', 'list'],
  ],
  [
    'what the service uses beside its endpoints',
    ['functions/core/lease.ts'],
    ['s3', 'upgrade', 'list'],
  ],
  ['the browser UI', ['web/page.tsx'], ['s3', 'alerts', 'stacks', 'upgrade']],
])('a change of %s leaves these tests untouched', (_, changed, expected) => {
  expect(untouched(...changed)).toEqual(expected)
})

test.each([
  'package-lock.json',
  'vitest.config.ts',
  'local/harness/service.ts',
  'local/setup/engine.mjs',
  'examples/hello/compose.yaml',
])('a change of %s can break every test', (path) => expect(untouched(path)).toEqual([]))

const unitTestsBrokenBy = (...changed: string[]) =>
  sources
    .filter(({ path }) => path.endsWith('.test.ts') && tierOf(path) === 'unit')
    .filter(canBreak(sources, changed))
    .map(({ path }) => path)

const readers = ['local/rules.test.ts', 'local/documents.test.ts']

test.each([
  ['what they import', 'functions/core/load.ts', ['functions/stacks/get.test.ts', ...readers]],
  ['a page that they name', 'docs/alerts.md', ['functions/alerts/list.test.ts', ...readers]],
  ['what they read without naming it', 'docs/hosts.md', readers],
])('a change can break unit tests by %s', (_, changed, expected) => {
  expect(unitTestsBrokenBy(changed)).toEqual(expected)
})

const own = allSources()

test('the list of tests that read many files has every unit test that does', () => {
  const reading = own.filter(
    ({ path, text }) =>
      path.endsWith('.test.ts') &&
      tierOf(path) === 'unit' &&
      /\b(?:sourcesUnder|pagesOf|allPages|allSources)\(/.test(text),
  )
  const unlisted = reading.map(({ path }) => path).filter((path) => !(path in readersOfMany))
  expect(unlisted).toEqual([])
  const paths = own.map(({ path }) => path)
  expect(Object.keys(readersOfMany).filter((path) => !paths.includes(path))).toEqual([])
})

test('the main job is never untouched', () => {
  expect(untouchedTests(sources, []).join()).not.toContain('main-job')
})
