import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { chooseChanged, describeRun } from './changed-run.mjs'

const one = (path: string) => ({ path, steps: 1, reason: 'imports it', seconds: 60 })
const change = { changed: 1, base: '0123456789abcdef' }

test('the first lines say what runs, why, and for how long', () => {
  const run = describeRun(
    { chosen: [one('a.test.ts'), one('b.engine.test.ts')], leftOut: [] },
    change,
  )
  expect(run).toEqual({
    paths: ['a.test.ts', 'b.engine.test.ts'],
    needsEngine: true,
    lines: [
      '1 file changed since 01234567. Running 2 test files, the nearest to the change first:',
      '  a.test.ts (imports it)',
      '  b.engine.test.ts (imports it)',
      'About 3 min, as last recorded. npm test runs everything.',
    ],
    leftOut: undefined,
  })
})

test('unit tests alone need no Engine', () => {
  const run = describeRun({ chosen: [one('a.test.ts')], leftOut: [] }, change)
  expect(run.needsEngine).toBe(false)
})

test('a long list is cut', () => {
  const chosen = Array.from({ length: 22 }, (_, index) => one(`${index}.test.ts`))
  const { lines } = describeRun({ chosen, leftOut: [] }, change)
  expect(lines).toHaveLength(23)
  expect(lines).toContain('  and 2 test files that it touches less directly')
})

test('the last line says what the change can also break', () => {
  const leftOut = ['a.test.ts', 'b.test.ts', 'c.timing.test.ts']
  expect(describeRun({ chosen: [one('d.test.ts')], leftOut }, change).leftOut).toBe(
    'left out: 2 unit test files and 1 file of the engine and timing tiers that the change can also break. npm test runs them.',
  )
})

test('a change that no test depends on runs none', () => {
  const run = describeRun({ chosen: [], leftOut: [] }, { changed: 2, base: 'main' })
  expect(run.lines).toEqual(['2 files changed since main: no test depends on them'])
})

test('a commit that this clone does not have is named', () => {
  expect(chooseChanged('0'.repeat(40)).problem).toBe(
    `this clone does not have the commit ${'0'.repeat(40)}`,
  )
})

test('a change since a commit of this clone is found', () => {
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const { problem, lines } = chooseChanged(head)
  expect(problem).toBeUndefined()
  expect(lines[0]).toContain(`changed since ${head.slice(0, 8)}`)
})
