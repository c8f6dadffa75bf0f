import { expect, test } from 'vitest'
import { chancesOf } from './chances.ts'

const drawn = (seed: number) => {
  const { next } = chancesOf(seed)
  return Array.from({ length: 1000 }, next)
}

test('one seed has the same chances every time, another one has others', () => {
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(2)).not.toEqual(drawn(1))
})

test('numbers are spread between 0 and 1', () => {
  const tenths = new Set(drawn(1).map((number) => Math.floor(number * 10)))
  expect([...tenths].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('what has the probability 0 never happens, what has 1 always', () => {
  const { happens } = chancesOf(1)
  expect(Array.from({ length: 100 }, () => happens(0))).not.toContain(true)
  expect(Array.from({ length: 100 }, () => happens(1))).not.toContain(false)
})
