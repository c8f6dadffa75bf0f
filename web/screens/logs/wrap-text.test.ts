import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { breaksOf, rowCount } from './wrap-text.ts'

/** Returns the rows of a text. */
function rows(text: string, columns: number): string[] {
  const starts = [0, ...breaksOf(text, columns)]
  return starts.map((start, index) => text.slice(start, starts[index + 1]))
}

test('rows end between words', () => {
  expect(rows('waiting for the database to start', 12)).toEqual([
    'waiting for ',
    'the database ',
    'to start',
  ])
  expect(rows('exactly ten', 11)).toEqual(['exactly ten'])
  expect(rows('ten  columns', 10)).toEqual(['ten  ', 'columns'])
})

test('a long word is divided where that can be read, and else at the end of the row', () => {
  expect(rows(`GET /${'a'.repeat(12)}/${'b'.repeat(12)}`, 20)).toEqual([
    'GET /aaaaaaaaaaaa/',
    'bbbbbbbbbbbb',
  ])
  expect(rows('x'.repeat(25), 10)).toEqual(['xxxxxxxxxx', 'xxxxxxxxxx', 'xxxxx'])
  expect(rows(`    ${'x'.repeat(20)}`, 12)).toEqual(['    xxxxxxxx', 'xxxxxxxxxxxx'])
})

test('wide letters take two columns, and are not cut in half', () => {
  expect(rows('漢'.repeat(11), 20).map(({ length }) => length)).toEqual([10, 1])
  expect(rows('😀'.repeat(6), 10)).toEqual(['😀'.repeat(5), '😀'])
})

test('no letter is lost, no row is empty or longer than the columns', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'b', ' ', '/', '-', 'é', '漢', '😀'),
        maxLength: 200,
      }),
      fc.integer({ min: 10, max: 60 }),
      (text, columns) => {
        const all = rows(text, columns)
        expect(all.join('')).toBe(text)
        expect(all).toHaveLength(rowCount(text, columns))
        for (const row of all.slice(1)) expect(row).not.toBe('')
        for (const row of all) expect([...row.trimEnd()].length).toBeLessThanOrEqual(columns)
      },
    ),
  )
})

test('a line of two megabytes is divided in little time', () => {
  expect(rowCount('x '.repeat(1_000_000), 80)).toBe(25_000)
  expect(rowCount('x'.repeat(2_000_000), 80)).toBe(25_000)
})
