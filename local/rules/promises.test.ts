import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unhandledPromises } from './promises.ts'

/** Returns the lines that the rule finds in a function body, in a project of its own. */
const found = (body: string): number[] =>
  places(body, {}).map((place) => Number(place.split(':')[1]) - given.split('\n').length)

function places(body: string, allowed: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'container-stacks-rule-'))
  try {
    const options = { target: 'es2023', module: 'esnext', types: [], strict: true }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
    writeFileSync(join(root, 'a.ts'), `${given}\n${body}\n`)
    return unhandledPromises(() => true, { root, allowed }).map(({ place }) => place)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const given = [
  'declare function load(): Promise<string>',
  'declare function connect(): Promise<void>',
  'declare function markHandled<P>(promise: P): P',
  'declare function on(event: string, listener: (value: string) => void): void',
  'export {}',
].join('\n')

test.each([
  ['kept while another is awaited', 'const a = load()\nawait connect()\nawait a'],
  ['kept in a variable that exists', 'let a\na = load()\nawait connect()\nawait a'],
  ['kept in a list', 'const all = [load(), load()]\nawait connect()\nawait Promise.all(all)'],
  [
    'kept with a handler that throws again',
    'const a = load().catch((e) => { throw e })\nawait connect()\nawait a',
  ],
  [
    'received, and awaited second',
    'async function f(a: Promise<string>) {\n  await connect()\n  return a\n}',
  ],
  ['dropped', 'load()'],
  ['dropped with void', 'void load()'],
  ['returned to an emitter', "on('data', async () => { await load() })"],
  ['returned to an emitter without async', "on('data', () => load())"],
])('finds a promise that nothing listens to: %s', (_name, body) => {
  expect(found(body)).toHaveLength(1)
})

test.each([
  ['awaited', 'await load()'],
  ['awaited next', 'const a = load()\nawait Promise.all([a, connect()])'],
  ['marked', 'const a = markHandled(load())\nawait connect()\nawait a'],
  ['caught', 'const a = load().catch(() => undefined)\nawait connect()\nawait a'],
  ['received, and awaited first', 'async function f(a: Promise<string>) {\n  return await a\n}'],
  [
    'one that cannot be rejected',
    'const a = new Promise<void>((resolve) => setTimeout(resolve))\nawait connect()\nawait a',
  ],
])('leaves a promise alone that is listened to: %s', (_name, body) => {
  expect(found(body.replace('setTimeout(resolve)', 'resolve()'))).toEqual([])
})

test('an allowed function may be dropped, in its own file', () => {
  expect(places('load()', { load: 'for the test' })).toEqual([])
  expect(places('load()', { 'a.ts load': 'for the test' })).toEqual([])
  expect(places('load()', { 'b.ts load': 'for the test' })).toEqual(['a.ts:6', 'b.ts load'])
})

test('reports an allowed function that is not dropped anywhere', () => {
  const allowed = { connect: 'for the test', load: 'for the test', 'a.ts gone': 'for the test' }
  expect(places('load()\nawait connect()', allowed)).toEqual(['connect', 'a.ts gone'])
})
