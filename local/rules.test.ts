import { expect, test } from 'vitest'
import { present } from '../adapters/testing/present.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { feeds, routes } from '../serverless.ts'
import { showsUnknown } from './matrix/named-objects.ts'
import { feedRows, rows } from './matrix/rows.ts'
import { circlesOf } from './rules/circles.ts'
import { clockReaders } from './rules/clock.ts'
import {
  endpointFiles,
  manifestOffences,
  promisedByFeed,
  promisedStatuses,
  untested,
} from './rules/endpoints.ts'
import { unguardedEntries } from './rules/entering.ts'
import { coreFloors, floorOffences, webFloors } from './rules/floors.ts'
import { unknownFolderCircles } from './rules/folder-circles.ts'
import { brokenImports, importsOf } from './rules/imports.ts'
import { inheritedNames } from './rules/inherited.ts'
import { languageOffences, proseOffences } from './rules/language.ts'
import { nameOffences, topLevelOffences } from './rules/names.ts'
import { unhandledPromises } from './rules/promises.ts'
import { caches, impurities, moduleState } from './rules/purity.ts'
import { isTest, pagesOf, type Source, sourcesUnder, topLevel } from './rules/source.ts'
import { storageUsers } from './rules/storage.ts'
import { swallowedErrors } from './rules/swallowed.ts'
import { ownSkeletons } from './rules/unknown.ts'
import { unseenActions } from './rules/unseen.ts'

const functions = sourcesUnder('functions')
const manifest = present(
  sourcesUnder('.', ['serverless.ts']).filter(({ path }) => path === 'serverless.ts')[0],
)
const all = [
  manifest,
  ...['functions', 'adapters', 'cli', 'web', 'openapi', 'local', 'packages', 'packaging'].flatMap(
    (room) => (room === 'functions' ? functions : sourcesUnder(room)),
  ),
]
const planted = (path: string, text: string): Source[] => [{ path, text }]

test('the top level matches the design', () => {
  expect(topLevelOffences(topLevel())).toEqual([])
})

test('rooms import only what they may, and packages stay in their rooms', () => {
  expect(brokenImports(all)).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  expect(circlesOf(all)).toEqual([])
})

/**
 * Circles of folders that stay. The service starts from the manifest, and osls takes the
 * configuration of the functions, with its tables, from the same file.
 */
const knownCircles = ['.: adapters serverless.ts']

test('no folders import each other in a circle, at no level', () => {
  expect(unknownFolderCircles(all, knownCircles)).toEqual([])
})

test.each([
  ['functions/core', coreFloors, /^functions\/core\/([^/]+)\//],
  ['web', webFloors, /^web\/([^/]+\.tsx?$|[^/]+(?=\/))/],
])('every folder of %s stands on a floor, as its drawing says', (folder, floors, member) => {
  const members = all
    .filter((source) => !isTest(source.path))
    .flatMap(({ path }) => member.exec(path)?.[1] ?? [])
  const page = present(pagesOf('docs/contributing').find(({ path }) => path.endsWith('/floors.md')))
  const [, drawing = ''] = page.text.split(`## ${folder}\n\n\`\`\`\n`)
  const [lines = ''] = drawing.split('\n```')
  expect(floorOffences(floors, [...new Set(members)], lines)).toEqual([])
})

test('finds a folder without a floor, a floor without a folder and one that is not drawn', () => {
  const floors = { lower: ['a'], upper: ['b'] }
  expect(floorOffences(floors, ['a', 'b'], 'upper  b\nlower  a')).toEqual([])
  expect(floorOffences(floors, ['a', 'c'], 'upper  b\nlower  a  c')).toEqual([
    'c stands on no floor',
    'b is gone',
    'not drawn: lower: a',
  ])
})

test('functions keep no state between calls', () => {
  expect(moduleState(functions)).toEqual([])
})

test('every allowed cache exists', () => {
  for (const cache of Object.keys(caches)) {
    const [path, name] = cache.split(' ')
    const source = functions.find((one) => one.path === path)
    expect(source?.text, cache).toMatch(new RegExp(`^(?:let|const) ${name}\\b`, 'm'))
  }
})

test('functions use only what they are given', () => {
  expect(impurities(functions)).toEqual([])
})

test('every promise has a handler before anything can throw', () => {
  const programs = /^(functions|adapters|cli)\/(?!testing\/)/
  expect(unhandledPromises((path) => programs.test(path))).toEqual([])
})

test('no program drops an error that nothing counts', () => {
  expect(swallowedErrors(all)).toEqual([])
})

test('no program finds inherited properties under names that people choose', () => {
  expect(inheritedNames(all)).toEqual([])
})

test('journeys act only on what a person can see', () => {
  expect(unseenActions(all)).toEqual([])
})

test('pages say what is unknown, failed or empty in one way', () => {
  expect(ownSkeletons(all)).toEqual([])
})

test('pages work in a browser that denies storage', () => {
  expect(storageUsers(all)).toEqual([])
})

test('pages take the time from the service, not from the clock of the browser', () => {
  expect(clockReaders(all)).toEqual([])
})

test('numbers have the format of the texts around them, not that of the browser', () => {
  const pages = all.filter(({ path }) => path.startsWith('web/'))
  expect(pages.length).toBeGreaterThan(300)
  const found = pages.filter(({ text }) => /\.toLocale\w*String\(\)/.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

test('no object spreads a literal where its properties could stand', () => {
  expect(all.filter(({ text }) => /\.\.\.\{/.test(text)).map(({ path }) => path)).toEqual([])
})

const spoken = [
  ...all.flatMap(languageOffences),
  ...['.', 'docs'].flatMap((folder) => pagesOf(folder)).flatMap(proseOffences),
]

test('comments, messages and pages are in plain English', () => {
  expect(spoken).toEqual([])
})

test('no file is left out of the type check', () => {
  const leftOut = all.filter(({ text }) => /^\s*\/[/*]+ *@ts-nocheck/m.test(text))
  expect(leftOut.map(({ path }) => path)).toEqual([])
})

test('names are in kebab case and meaningful', () => {
  expect(nameOffences(all)).toEqual([])
})

test('containers are entered only after the check of who may', () => {
  expect(unguardedEntries(functions)).toEqual([])
})

test.each([
  'await engine.attach(id, { tty }, signal)',
  'yield* engine.readFromContainer(path.id, query.path, signal)',
  'const enter = engine.commitContainer',
  'const session = await engine\n  .exec(container.id, { command }, signal)',
  'ports.engines.on(nameOf(host, 1)).exec(idOf(one, two), options, signal)',
  'const { exec, info } = engine',
])('finds an entering of a container without that check: %s', (text) => {
  expect(unguardedEntries(planted('functions/feeds/a.ts', text))).toEqual(['functions/feeds/a.ts'])
})

test('the manifest lists every endpoint once', () => {
  expect(manifestOffences(manifest, functions)).toEqual([])
})

test('every status that an endpoint declares has a test', async () => {
  const lines = [
    ...routesOf(routes).map(({ method, path, load }) => async () => {
      const { facts } = (await load()).default
      const promised = promisedStatuses(facts)
      // A test of all routes has each of these.
      if (!showsUnknown(`${method} ${path}`, facts)) return promised
      return promised.filter((status) => status !== 404)
    }),
    ...Object.values(feeds).map((load) => async () => promisedByFeed((await load()).default.facts)),
  ]
  const loaders = new Map(
    importsOf(manifest)
      .filter(({ target }) => endpointFiles(functions).includes(target))
      .map(({ target }, index) => [target, lines[index]]),
  )
  const missing: string[] = []
  for (const path of endpointFiles(functions)) {
    const promised = loaders.get(path)
    if (promised) missing.push(...untested(path, await promised(), functions))
  }
  expect(missing).toEqual([])
})

test('every route and feed has a row in the access matrix', () => {
  const lines = routesOf(routes).map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(rows).sort()).toEqual(lines.sort())
  expect(Object.keys(feedRows).sort()).toEqual(Object.keys(feeds).sort())
})

test.each([
  [
    'the compose engine imports nothing of the service',
    'functions/compose/load/a.ts',
    "import type { B } from '../../core/records/b.ts'",
  ],
  [
    'records import no ports',
    'functions/core/records/a.ts',
    "import type { B } from '../ports/b.ts'",
  ],
  [
    'a use case imports no other on its floor',
    'functions/core/images/a.ts',
    "import { b } from '../stacks/b.ts'",
  ],
  [
    'a use case imports none on a higher floor',
    'functions/core/owners/a.ts',
    "import { b } from '../stacks/b.ts'",
  ],
  [
    'files at the top of core import no folder',
    'functions/core/a.ts',
    "import type { B } from './records/b.ts'",
  ],
  [
    'a folder without a floor imports none',
    'functions/core/unknown/a.ts',
    "import type { B } from '../records/b.ts'",
  ],
  [
    'ports import no use cases',
    'functions/core/ports/a.ts',
    "import type { B } from '../stacks/b.ts'",
  ],
  [
    'the browser UI imports nothing of the service',
    'web/data/a.ts',
    "import type { B } from '../../functions/core/records/b.ts'",
  ],
  [
    'parts of the browser UI import no frame',
    'web/parts/a.tsx',
    "import { b } from '../frame/b.ts'",
  ],
  ['texts of the browser UI import no data', 'web/text/a.ts', "import { b } from '../data/b.ts'"],
  [
    'screens of the browser UI import no routes',
    'web/screens/a.tsx',
    "import { routes } from '../routes.ts'",
  ],
  ['data of the browser UI imports no part', 'web/data/a.ts', "import { b } from '../parts/b.ts'"],
  ['the browser UI uses nothing of Node', 'web/data/a.ts', "import { join } from 'node:path'"],
  [
    'programs import nothing of testing folders',
    'adapters/node/a.ts',
    "import { b } from '../testing/memory/b.ts'",
  ],
  ['core imports nothing of the kit', 'functions/core/a.ts', "import { b } from '../kit/b.ts'"],
  ['core imports no packages of adapters', 'functions/core/a.ts', "import D from 'dockerode'"],
  ['core imports no I/O', 'functions/core/a.ts', "import { readFileSync } from 'node:fs'"],
  [
    'a resource imports no other resource',
    'functions/a/b.ts',
    "import type { C } from '../c/schema.ts'",
  ],
  [
    'a resource imports no adapter',
    'functions/a/b.ts',
    "import { c } from '../../adapters/testing/c.ts'",
  ],
  [
    'an adapter imports no other adapter',
    'adapters/docker/a.ts',
    "import { b } from '../dynamo/b.ts'",
  ],
  [
    'the ports over a table import no store',
    'adapters/store/a.ts',
    "import { b } from '../dynamo/b.ts'",
  ],
  ['a store imports no other', 'adapters/sqlite/a.ts', "import { b } from '../dynamo/b.ts'"],
  [
    'an adapter imports no resource',
    'adapters/dynamo/a.ts',
    "import { b } from '../../functions/stacks/b.ts'",
  ],
  ['dynamic imports count', 'adapters/dynamo/a.ts', "await import('../docker/b.ts')"],
  ['re-exports count', 'adapters/dynamo/a.ts', "export { b } from '../docker/b.ts'"],
  [
    'imports over several lines count',
    'adapters/dynamo/a.ts',
    "import {\n  a,\n  b,\n} from '../docker/b.ts'",
  ],
  ['computed paths are forbidden', 'functions/a/b.ts', 'await import(path)'],
  ['hono belongs to one room', 'adapters/dynamo/a.ts', "import { Hono } from 'hono'"],
  [
    'the SDK belongs to one room',
    'adapters/node/a.ts',
    "import { X } from '@aws-sdk/client-dynamodb'",
  ],
  ['middy belongs to one room', 'functions/stacks/a.ts', "import middy from '@middy/core'"],
  [
    'the client imports only types of functions',
    'cli/a.ts',
    "import { a } from '../functions/stacks/schema.ts'",
  ],
  ['unknown packages are forbidden', 'cli/a.ts', "import 'left-pad'"],
  ['test packages belong to tests', 'functions/a/b.ts', "import { test } from 'vitest'"],
])('finds a forbidden import: %s', (_name, path, text) => {
  expect(brokenImports(planted(path, text))).toHaveLength(1)
})

test.each([
  ['functions/a/b.ts', "import { c } from '../core/c.ts'\nimport { z } from 'zod'"],
  ['functions/a/b.test.ts', "import { call } from '../../local/harness/call.ts'"],
  ['cli/a.ts', "import type { a } from '../functions/stacks/schema.ts'"],
  ['functions/a/b.ts', 'const text = \'imports come from "x"\''],
])('accepts an allowed import (%s)', (path, text) => {
  expect(brokenImports(planted(path, text))).toEqual([])
})

test.each([
  'let count = 0',
  'export let count = 0',
  'var count',
  'const seen = new Map()',
  'const seen = new Map<string, { a: 1 }>()',
  'export const seen: Set<string> = new Set()',
  'const cache = new WeakMap<object, string>()',
  'const list: string[] = []',
  'const table: Record<string, number> = {}',
])('finds module state: %s', (text) => {
  expect(moduleState(planted('functions/a/b.ts', text))).toHaveLength(1)
})

test.each([
  'const set = new Set(["a"])',
  '  let inside = 0',
  'const f = () => {}',
  'const a = { b: [] }',
])('accepts what is not state: %s', (text) => {
  expect(moduleState(planted('functions/a/b.ts', text))).toEqual([])
})

test.each([
  'Date.now()',
  'new Date()',
  'Math.random()',
  'randomUUID()',
  'process.env.A',
  'fetch(url)',
  'URL.canParse(text)',
])('finds direct access to the outside world: %s', (text) => {
  expect(impurities(planted('functions/core/a.ts', `const a = ${text}`))).toHaveLength(1)
  expect(impurities(planted('functions/core/a.ts', `// not ${text}`))).toEqual([])
})

test('finds bad names and files', () => {
  expect(nameOffences(planted('functions/a/BadName.ts', ''))).toHaveLength(1)
  expect(nameOffences(planted('functions/utils/a.ts', ''))).toHaveLength(1)
  expect(nameOffences(planted('functions/a/index.ts', "export * from './b.ts'"))).toHaveLength(2)
  expect(topLevelOffences(['src'])).toContain('src does not belong at the top')
  expect(topLevelOffences(['src'])).toContain('serverless.ts is missing')
})

test('finds an endpoint outside the manifest and a missing test', () => {
  const line = { path: 'serverless.ts', text: "() => import('./functions/a/b.ts')" }
  const made = [
    { path: 'functions/a/b.ts', text: 'export default endpoint({})' },
    { path: 'functions/a/c.ts', text: 'export default endpoint({})' },
    { path: 'functions/a/b.test.ts', text: "import b from './b.ts'\ntest('200: b', () => {})" },
  ]
  expect(manifestOffences(line, made)).toEqual(['functions/a/c.ts is not in the manifest'])
  expect(manifestOffences(line, [])).toEqual(['functions/a/b.ts is no endpoint'])
  expect(untested('functions/a/b.ts', [200, 404], made)).toEqual([
    'functions/a/b.ts has no test whose name begins with 404',
  ])
  expect(untested('functions/a/c.ts', [200], made)).toEqual([
    'functions/a/c.ts has no test beside it',
  ])
})
