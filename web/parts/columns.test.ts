import { expect, test } from 'vitest'
import { type Column, sortRows } from './columns.ts'

const columns: Column<{ name: string; size: number }>[] = [
  { key: 'name', label: 'Name', cell: ({ name }) => name, sort: ({ name }) => name },
  { key: 'size', label: 'Size', cell: ({ size }) => size, sort: ({ size }) => size },
]
const rows = [
  { name: 'web-10', size: 2 },
  { name: 'web-2', size: 10 },
]

test('sorts figures as figures and numbers in names as numbers', () => {
  const names = (key: string, isDown = false) =>
    sortRows(rows, columns, { key, isDown }).map(({ name }) => name)
  expect(names('name')).toEqual(['web-2', 'web-10'])
  expect(names('size')).toEqual(['web-10', 'web-2'])
  expect(names('size', true)).toEqual(['web-2', 'web-10'])
})

test('keeps the given order without a column', () => {
  expect(sortRows(rows, columns, undefined)).toBe(rows)
})
