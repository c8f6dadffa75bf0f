import { expect, test } from 'vitest'
import { backupRun } from '../../../adapters/contract/samples.ts'
import { expired, forgettable } from './retention.ts'
import type { BackupRun } from './run.ts'

const day = 86_400_000
const now = 100 * day

/**
 * Returns runs from words such as `3+`, a run three days ago. `+`: succeeded; `-`: failed without a
 * backup; `!`: failed with a complete backup.
 */
function history(text: string): BackupRun[] {
  return text.split(' ').map((word) => {
    const age = Number(word.slice(0, -1))
    const mark = word.at(-1)
    return {
      ...backupRun(String(1000 - age).padStart(4, '0'), 'j1'),
      startedAt: now - age * day,
      status: mark === '+' ? 'succeeded' : 'failed',
      sha256: mark === '-' ? null : 'digest',
      leftovers: false,
    } as BackupRun
  })
}

const ages = (runs: BackupRun[]) => runs.map(({ startedAt }) => (now - startedAt) / day)
const over = (text: string, keepLast: number | null, keepDays: number | null) =>
  ages(expired(history(text), { keepLast, keepDays }, now))

test('with neither number nor days all is kept', () => {
  expect(over('1+ 50+ 99+', null, null)).toEqual([])
})

test('the newest so many are kept, whatever failed in between', () => {
  expect(over('1- 2+ 3- 4+ 5+ 6+', 2, null)).toEqual([6, 5])
})

test('what is young enough is kept, and of both what either keeps', () => {
  expect(over('1+ 2+ 8+ 9+', null, 7)).toEqual([9, 8])
  expect(over('1+ 2+ 8+ 9+', 3, 7)).toEqual([9])
  expect(over('1+ 2+ 3+', 1, 7)).toEqual([])
})

test('the last good one is kept, however old', () => {
  expect(over('50+ 60+', null, 7)).toEqual([60])
  expect(over('1- 2- 50+', null, 7)).toEqual([])
  expect(over('30! 50+ 60+', 1, null)).toEqual([60])
})

test('backups of a clock that was ahead are kept and do not count', () => {
  expect(over('-365+ -364+ 0+ 1+ 2+', 2, null)).toEqual([2])
  expect(over('-365+ 50+ 60+', null, 7)).toEqual([60])
})

test('records of runs without a backup are forgotten when there are many', () => {
  const many = history(Array.from({ length: 103 }, (_, index) => `${index}-`).join(' '))
  expect(ages(forgettable(many))).toEqual([100, 101, 102])
  const unfinished = many.map((run) => ({ ...run, leftovers: true }))
  expect(forgettable(unfinished)).toEqual([])
})
