import { expect, test } from 'vitest'
import { failures, filesToRepeat, merged, passedIn, secondRuns } from './verdict.mjs'

type Test = { name: string; state: string; message?: string }

const file = (path: string, tests: Test[], more: { message?: string; project?: string } = {}) => ({
  path,
  project: 'engine',
  milliseconds: 1,
  tests,
  ...more,
  state: tests.some(({ state }) => state === 'failed') || more.message ? 'failed' : 'passed',
})
const good = { name: 'good', state: 'passed' }
const bad = { name: 'bad', state: 'failed', message: 'expected 1 to be 2' }
const report = (...files: ReturnType<typeof file>[]) => ({ files, unhandled: [] })

test('failed files of the engine and timing tiers are run again', () => {
  const first = report(
    file('a.engine.test.ts', [good, bad]),
    file('b.timing.test.ts', [good], { message: 'a hook failed' }),
    file('c.test.ts', [good]),
  )
  expect(filesToRepeat(first)).toEqual(['a.engine.test.ts', 'b.timing.test.ts'])
})

test('a file that failed in two projects is run again once', () => {
  const first = report(
    file('a.engine.test.ts', [bad]),
    file('a.engine.test.ts', [bad], { project: 'engine-executable' }),
  )
  expect(filesToRepeat(first)).toEqual(['a.engine.test.ts'])
})

test('nothing is run again beside a failed unit test', () => {
  expect(filesToRepeat(report(file('a.engine.test.ts', [bad]), file('b.test.ts', [bad])))).toEqual(
    [],
  )
})

test('nothing is run again beside an unhandled error', () => {
  expect(
    filesToRepeat({ ...report(file('a.engine.test.ts', [bad])), unhandled: ['closed'] }),
  ).toEqual([])
})

test('nothing is run again if more than six files failed', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => file(`a${index}.engine.test.ts`, [bad]))
  expect(filesToRepeat(report(...files(6)))).toHaveLength(6)
  expect(filesToRepeat(report(...files(7)))).toEqual([])
})

test('the second run replaces the first, and what passed then is named', () => {
  const first = report(file('a.engine.test.ts', [good, bad]), file('b.test.ts', [good]))
  const second = report(file('a.engine.test.ts', [good, { ...bad, state: 'passed' }]))
  expect(passedIn(merged(first, second))).toBe(3)
  expect(failures(merged(first, second), true)).toEqual([])
  expect(secondRuns(first, second)).toEqual([
    'passed on second run: a.engine.test.ts › bad: expected 1 to be 2',
  ])
})

test('a failed hook is named too', () => {
  const first = report(file('a.engine.test.ts', [good], { message: 'volume in use' }))
  expect(secondRuns(first, report(file('a.engine.test.ts', [good])))).toEqual([
    'passed on second run: a.engine.test.ts › (outside of its tests): volume in use',
  ])
})

test('a test that fails twice counts as failed', () => {
  const first = report(file('a.engine.test.ts', [good, bad]))
  expect(failures(merged(first, first), false)).toHaveLength(1)
  expect(secondRuns(first, first)).toEqual([])
})

test('a project that is missing from the second run keeps its first result', () => {
  const first = report(
    file('a.engine.test.ts', [bad]),
    file('a.engine.test.ts', [bad], { project: 'engine-executable' }),
  )
  const second = report(file('a.engine.test.ts', [good]))
  expect(passedIn(merged(first, second))).toBe(1)
  expect(failures(merged(first, second), false)).toHaveLength(1)
})

const outside = 'failed: a.test.ts › (outside of its tests): '

test.each([
  [
    'a failed test',
    report(file('a.test.ts', [good, bad])),
    ['failed: a.test.ts › bad: expected 1 to be 2'],
  ],
  ['a failed hook', report(file('a.test.ts', [good], { message: 'x' })), [`${outside}x`]],
  [
    'a file without tests',
    report({ ...file('a.test.ts', []), state: 'failed' }),
    [`${outside}no message`],
  ],
  [
    'errors that belong to no test',
    { ...report(file('a.test.ts', [good])), unhandled: ['x', 'y'] },
    ['failed: (outside of all files): x', 'failed: (outside of all files): y'],
  ],
  ['no reason', report(file('a.test.ts', [good])), ['failed: vitest failed without a failed test']],
])('a run that failed names %s', (_, result, lines) => {
  expect(failures(result, false)).toEqual(lines)
})

test('a run that passed names nothing', () => {
  expect(failures(report(file('a.test.ts', [good])), true)).toEqual([])
})
