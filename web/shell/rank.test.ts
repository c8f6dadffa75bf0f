import { expect, test } from 'vitest'
import { rank } from './rank.ts'

const entries = [
  { label: 'Deploy shop' },
  { label: 'workshop' },
  { label: 'shop', hint: 'Stack on nas' },
  { label: 'shop-db-1', hint: 'Container of shop' },
]
const found = (query: string) => rank(query, entries).map(({ label }) => label)

test('the exact name comes first, then beginnings, words, and other places', () => {
  expect(found('shop')).toEqual(['shop', 'shop-db-1', 'Deploy shop', 'workshop'])
})

test('every word must be found, in any order, also in the hint', () => {
  expect(found('shop dep')).toEqual(['Deploy shop'])
  expect(found('nas')).toEqual(['shop'])
  expect(found('shop moon')).toEqual([])
})

test('without words everything is shown in its order', () => {
  expect(found('')).toEqual(entries.map(({ label }) => label))
  expect(rank('', entries, 2)).toHaveLength(2)
})
