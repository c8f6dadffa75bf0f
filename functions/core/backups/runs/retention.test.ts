import { expect, test } from 'vitest'
import { backupRun } from '../../../../adapters/testing/contract/samples.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { expired, removedInPart, runsToForget } from './retention.ts'

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

test('keeps everything without a number or an age', () => {
  expect(over('1+ 50+ 99+', null, null)).toEqual([])
})

test('keeps the given number of newest backups, ignoring failed runs', () => {
  expect(over('1- 2+ 3- 4+ 5+ 6+', 2, null)).toEqual([6, 5])
})

test('keeps recent backups, and with both limits whatever either keeps', () => {
  expect(over('1+ 2+ 8+ 9+', null, 7)).toEqual([9, 8])
  expect(over('1+ 2+ 8+ 9+', 3, 7)).toEqual([9])
  expect(over('1+ 2+ 3+', 1, 7)).toEqual([])
})

test('keeps the last good backup at any age', () => {
  expect(over('50+ 60+', null, 7)).toEqual([60])
  expect(over('1- 2- 50+', null, 7)).toEqual([])
  expect(over('30! 50+ 60+', 1, null)).toEqual([60])
})

test('keeps backups dated in the future and does not count them', () => {
  expect(over('-365+ -364+ 0+ 1+ 2+', 2, null)).toEqual([2])
  expect(over('-365+ 50+ 60+', null, 7)).toEqual([60])
})

test('finds the backups whose removal was cut short, which do not count as kept', () => {
  const [newest, half, oldest] = history('1+ 2+ 3+') as [BackupRun, BackupRun, BackupRun]
  const runs = [newest, { ...half, sha256: null, leftovers: true }, oldest]
  expect(ages(removedInPart(runs))).toEqual([2])
  expect(ages(expired(runs, { keepLast: 2, keepDays: null }, now))).toEqual([])
  expect(
    removedInPart([...history('1+ 2- 3!'), { ...half, kind: 'restore', sha256: null }]),
  ).toEqual([])
})

test('removes the oldest of many records of runs without a backup', () => {
  const many = history(Array.from({ length: 103 }, (_, index) => `${index}-`).join(' '))
  expect(ages(runsToForget(many))).toEqual([100, 101, 102])
  const unfinished = many.map((run) => ({ ...run, leftovers: true }))
  expect(runsToForget(unfinished)).toEqual([])
})
