import { expect, test } from 'vitest'
import { countsOf, filesToRepeat, merged, secondRuns } from './verdict.mjs'

type Test = { name: string; state: string; message?: string }

const file = (path: string, tests: Test[], more: { message?: string; project?: string } = {}) => ({
  ...{ path, project: 'engine', milliseconds: 1, tests, ...more },
  state: tests.some(({ state }) => state === 'failed') || more.message ? 'failed' : 'passed',
})
const good = { name: 'good', state: 'passed' }
const bad = { name: 'bad', state: 'failed', message: 'expected 1 to be 2' }
const report = (...files: ReturnType<typeof file>[]) => ({ files, unhandled: 0 })

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
  expect(filesToRepeat({ ...report(file('a.engine.test.ts', [bad])), unhandled: 1 })).toEqual([])
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
  expect(countsOf(merged(first, second), true)).toEqual({ passed: 3, failed: 0 })
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

test('what fails twice has failed, and is not said to have passed', () => {
  const first = report(file('a.engine.test.ts', [good, bad]))
  expect(countsOf(merged(first, first), false)).toEqual({ passed: 1, failed: 1 })
  expect(secondRuns(first, first)).toEqual([])
})

test('a project that is missing from the second run keeps its first result', () => {
  const first = report(
    file('a.engine.test.ts', [bad]),
    file('a.engine.test.ts', [bad], { project: 'engine-executable' }),
  )
  const second = report(file('a.engine.test.ts', [good]))
  expect(countsOf(merged(first, second), false)).toEqual({ passed: 1, failed: 1 })
})

test.each([
  ['a failed test', report(file('a.test.ts', [good, bad])), false, 1],
  ['a file that failed in a hook', report(file('a.test.ts', [good], { message: 'x' })), false, 1],
  [
    'errors that belong to no test',
    { ...report(file('a.test.ts', [good])), unhandled: 2 },
    false,
    2,
  ],
  ['a run that failed without a failed test', report(file('a.test.ts', [good])), false, 1],
  ['a run that passed', report(file('a.test.ts', [good])), true, 0],
])('counts %s', (_, result, succeeded, failed) => {
  expect(countsOf(result, succeeded)).toEqual({ passed: 1, failed })
})
