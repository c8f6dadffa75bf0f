import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  merge,
  recordedRuns,
  resultsIn,
  resultsOfAll,
  runsTable,
  runsTableIn,
} from './ring-records.mjs'
import { parts } from './second-ring-parts.mjs'
import type { TestFile } from './verdict.mjs'

const crash = 'local/scenarios/crash.engine.test.ts'
const passed = { name: 'a', state: 'passed' }
const failed = { name: 'b', state: 'failed', message: 'no' }
const file = (path: string, project: string, ...tests: TestFile['tests']): TestFile => ({
  path,
  project,
  state: tests.includes(failed) ? 'failed' : 'passed',
  milliseconds: 1,
  tests,
})
const report = (...files: TestFile[]) => ({ files, unhandled: [] })

test('docs/contributing/second-ring.md has the last run of each part', () => {
  const text = readFileSync('docs/contributing/second-ring.md', 'utf8')
  expect(runsTableIn(text)).toBe(runsTable(recordedRuns()))
})

test('every record is of a part, and every part covers files that exist', () => {
  const names = parts.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(recordedRuns()).filter((name) => !names.includes(name))).toEqual([])
  for (const { name, covers } of parts) {
    expect(covers, name).not.toEqual([])
    expect(covers.filter((path) => !existsSync(path))).toEqual([])
  }
})

test('a run of one file records that part', () => {
  const results = resultsIn(report(file(crash, 'engine', passed, failed)), [crash])
  expect(results).toEqual({ [crash]: { passed: 1, failed: 1 } })
})

test('a run of a project records that part, and not the files in it', () => {
  const name = 'scenarios-functions'
  const results = resultsIn(report(file(crash, name, passed)), [`--project=${name}`])
  expect(results).toEqual({ [name]: { passed: 1, failed: 0 } })
})

test.each([
  ['some files of a project', ['--project=scenarios-functions', 'crash'], []],
  ['some tests of a file', [crash, '-t', 'kill'], []],
  ['an error that belongs to no test', [crash], ['it broke']],
])('a run of %s records nothing', (_, words, unhandled) => {
  const project = words[0]?.startsWith('--') ? 'scenarios-functions' : 'engine'
  expect(resultsIn({ files: [file(crash, project, passed)], unhandled }, words)).toEqual({})
})

test('a file without a test that ran records nothing', () => {
  const skipped = { name: 'a', state: 'skipped' }
  expect(resultsIn(report(file(crash, 'engine', skipped)), [crash])).toEqual({})
})

test('a whole run also records the newer Engine and the version of Node.js', () => {
  const newer = { passed: 5, failed: 0 }
  const run = report(file(crash, 'engine', passed), file('a.test.ts', 'unit', passed))
  expect(resultsOfAll(run, newer, 22)).toEqual({
    [crash]: { passed: 1, failed: 0 },
    'main tests on Docker Engine 28': newer,
    'Node.js 22': { passed: 2, failed: 0 },
  })
  expect(resultsOfAll(run, undefined, 20)).toEqual({ [crash]: { passed: 1, failed: 0 } })
})

test('a later run replaces the record of its part alone', () => {
  const old = { date: '2026-11-01', commit: '1'.repeat(40), passed: 3, failed: 0 }
  const run = { date: '2026-11-28', commit: '2'.repeat(40) }
  const records = merge({ fuzz: old, [crash]: old }, { [crash]: { passed: 4, failed: 1 } }, run)
  expect(records).toEqual({ fuzz: old, [crash]: { ...run, passed: 4, failed: 1 } })
  expect(Object.keys(records)).toEqual(['fuzz', crash])
})

test('the table shows the last run, or that none is recorded', () => {
  const record = { date: '2026-11-28', commit: '123456789', passed: 9, failed: 1 }
  const lines = runsTable({ fuzz: record }).split('\n')
  expect(lines).toContain(
    '| fuzz | 2026-11-28 | `12345678` | 9 passed, 1 failed | `npm test -- --all fuzz` |',
  )
  expect(lines).toContain('| mutation | not recorded | | | `npm test -- --all mutation` |')
})
