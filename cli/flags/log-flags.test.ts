import { expect, test } from 'vitest'
import { logQuery } from './log-flags.ts'

const noon = Date.UTC(2026, 5, 1, 12)

test.each([
  ['90s', '2026-06-01T11:58:30.000Z'],
  ['10m', '2026-06-01T11:50:00.000Z'],
  ['2h', '2026-06-01T10:00:00.000Z'],
  ['1d', '2026-05-31T12:00:00.000Z'],
  ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00Z'],
  ['1780000000', '1780000000'],
])('since %s', (since, sent) => {
  expect(logQuery({ since }, noon)).toEqual({ tail: undefined, since: sent })
})

test('2: --until with --follow, or no time', () => {
  expect(logQuery({ until: '10m' }, noon).until).toBe('2026-06-01T11:50:00.000Z')
  for (const flags of [{ until: '10m', follow: true }, { until: 'yesterday' }]) {
    expect(() => logQuery(flags, noon)).toThrow(expect.objectContaining({ exitCode: 2 }))
  }
})

test.each(['-1', '1.5', '1e3', 'all', '', '10000', '1001'])('2: --tail %j', (tail) => {
  expect(() => logQuery({ tail }, noon)).toThrow(expect.objectContaining({ exitCode: 2 }))
})

test.each(['yesterday', '5x', '', '10'.repeat(9)])('2: --since %j', (since) => {
  expect(() => logQuery({ since }, noon)).toThrow(expect.objectContaining({ exitCode: 2 }))
})
