import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { isTimezone, nextRun, scheduleProblem } from './schedule.ts'

const next = (schedule: string, timezone: string, after: string) => {
  const at = nextRun(schedule, timezone, Date.parse(after))
  return at === null ? null : new Date(at).toISOString()
}

test('applies a schedule in its time zone', () => {
  expect(next('30 3 * * *', 'UTC', '2026-06-01T12:00:00Z')).toBe('2026-06-02T03:30:00.000Z')
  const inBerlin = next('30 3 * * *', 'Europe/Berlin', '2026-06-01T12:00:00Z')
  expect(inBerlin).toBe('2026-06-02T01:30:00.000Z')
  expect(next('0 0 29 2 *', 'UTC', '2026-06-01T12:00:00Z')).toBe('2028-02-29T00:00:00.000Z')
})

test('runs once for a skipped hour, right after it, and once for a repeated hour', () => {
  const gap = next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')
  expect(gap).toBe('2026-03-29T01:00:00.000Z')
  expect(next('30 2 * * *', 'Europe/Berlin', present(gap))).toBe('2026-03-30T00:30:00.000Z')
  const fold = next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z')
  expect(fold).toBe('2026-10-25T00:30:00.000Z')
  expect(next('30 2 * * *', 'Europe/Berlin', present(fold))).toBe('2026-10-26T01:30:00.000Z')
  const hourly = next('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:31:00Z')
  expect(hourly).toBe('2026-10-25T01:00:00.000Z')
})

test('accepts schedules of five fields', () => {
  const good = ['* * * * *', '*/5 0-6 1,15 * *', ' 0  3 * * MON-FRI ', '0 3 * jan 7', '0 0 29 2 *']
  for (const schedule of good) expect(scheduleProblem(schedule, 'UTC'), schedule).toBeUndefined()
})

test('rejects what cron rejects and schedules that never run', () => {
  const bad = ['', '* * * *', '* * * * * *', '@daily', '60 * * * *', '0 24 * * *', '0 0 31 2 *']
  const strange = [
    '? * * * *',
    '0 0 L * *',
    '0 0 15W * *',
    '0 3 * * 1#2',
    '0 0 * * +1',
    '0,,1 * * * *',
  ]
  const wrong = ['a b c d e', '1-0 * * * *', '-1 * * * *', '5/0 * * * *', '0 0 0 * *', '0 0 * 13 *']
  for (const schedule of [...bad, ...strange, ...wrong]) {
    expect(scheduleProblem(schedule, 'UTC'), schedule).toBeTypeOf('string')
  }
})

test('accepts only names of time zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/St_Johns'])
    expect(isTimezone(name)).toBe(true)
  for (const name of ['', 'Mars/Phobos', '+02:00', 'Europe'])
    expect(isTimezone(name), name).toBe(false)
})
