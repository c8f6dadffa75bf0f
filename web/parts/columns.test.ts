import { expect, test } from 'vitest'
import { orderWordsOf, sortingOf, sortRows, wordAfterPress } from './columns.ts'

const rows = [
  { name: 'web-10', size: 2 },
  { name: 'db', size: undefined },
  { name: 'web-2', size: 10 },
]
type Key = 'name' | 'size'
const sorted = (key: Key, isDown = false) =>
  sortRows(rows, (row) => row[key], isDown).map(({ name }) => name)

test('sorts figures as figures and numbers in names as numbers', () => {
  expect(sorted('name')).toEqual(['db', 'web-2', 'web-10'])
  expect(sorted('name', true)).toEqual(['web-10', 'web-2', 'db'])
})

test('rows without a value come last in both orders', () => {
  expect(sorted('size')).toEqual(['web-10', 'web-2', 'db'])
  expect(sorted('size', true)).toEqual(['web-2', 'web-10', 'db'])
})

test('rows with equal values keep their order', () => {
  expect(sortRows(rows, () => 1, true)).toEqual(rows)
})

test('reads the order from a word of the address', () => {
  expect(sortingOf('name')).toEqual({ key: 'name', isDown: false })
  expect(sortingOf('-memory')).toEqual({ key: 'memory', isDown: true })
  expect(sortingOf('')).toBeUndefined()
  expect(sortingOf('-')).toEqual({ key: '-', isDown: false })
})

test.each([
  ['names', { key: 'name' }, ['name', '-name', '', 'name']],
  ['figures', { key: 'size', align: 'end' }, ['-size', 'size', '', '-size']],
] as const)('presses on the head of %s go through the orders', (_, column, expected) => {
  const words: string[] = []
  for (const _ of expected) words.push(wordAfterPress(column, sortingOf(words.at(-1) ?? '-other')))
  expect(words).toEqual(expected)
})

test('a choice offers both orders of each column that sorts', () => {
  const cell = () => null
  const sort = () => 1
  const columns = [
    { key: 'name', label: 'Name', cell, sort },
    { key: 'host', label: 'Host', cell },
    { key: 'size', label: 'Size', cell, sort, align: 'end' as const },
  ]
  expect(orderWordsOf(columns).map(({ word }) => word)).toEqual(['name', '-name', '-size', 'size'])
})
