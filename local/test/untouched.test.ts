import { expect, test } from 'vitest'
import type { Source } from '../rules/source.ts'
import { untouchedTests } from './untouched.ts'

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
  'functions/stacks/get.test.ts': '',
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

test('the main job is never untouched', () => {
  expect(untouchedTests(sources, []).join()).not.toContain('main-job')
})
