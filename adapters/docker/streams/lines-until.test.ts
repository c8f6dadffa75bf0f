import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { linesUntil } from './lines-until.ts'

/** Returns a log of an Engine, and the tails with which it was read up to a line. */
function logOf(length: number, until: number, isReverse = false) {
  const tails: (number | 'all')[] = []
  const all = Array.from({ length }, (_, index) => ({
    stream: 'stdout' as const,
    time: String(index).padStart(9, '0'),
    line: `line ${index}`,
  }))
  const read = async (tail: number | 'all', wanted: number) => {
    tails.push(tail)
    const early = all.slice(0, until + 1)
    const from = tail === 'all' || isReverse ? 0 : Math.max(0, length - tail)
    const lines = isReverse && tail !== 'all' ? early.slice(-tail) : early.slice(from)
    return { lines: lines.slice(-wanted), count: lines.length }
  }
  const last = (wanted: number) => linesUntil(wanted, (tail) => read(tail, wanted))
  return { tails, last, expected: (wanted: number) => all.slice(0, until + 1).slice(-wanted) }
}

test('returns the last lines up to a time, wherever in the log that is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(3000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      async (length, part, wanted, isReverse) => {
        const log = logOf(length, Math.floor(length * part) - 1, isReverse)
        expect(await log.last(wanted)).toEqual(log.expected(wanted))
      },
    ),
  )
})

test('reads little of a long log near its end, and not all of it near its beginning', async () => {
  const end = logOf(900_000, 898_000)
  expect(await end.last(1000)).toHaveLength(1000)
  expect(end.tails).toEqual([4000])
  const begin = logOf(200_000, 9)
  expect(await begin.last(1000)).toHaveLength(10)
  expect(begin.tails).not.toContain('all')
})

test('an empty log, and one without lines up to the time', async () => {
  expect(await logOf(0, -1).last(10)).toEqual([])
  expect(await logOf(500, -1).last(10)).toEqual([])
  expect(await logOf(500, 400).last(0)).toEqual([])
})
