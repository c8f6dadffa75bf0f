import { expect, test } from 'vitest'
import { LeaseWatch } from './lease-watch.ts'

test('counts from the end of the first read to the start of the last', () => {
  const watch = new LeaseWatch()
  expect(watch.unchangedFor('a', 1, 100, 110)).toBe(0)
  expect(watch.unchangedFor('a', 1, 200, 250)).toBe(90)
})

test('starts again after each change', () => {
  const watch = new LeaseWatch()
  watch.unchangedFor('a', 1, 100, 100)
  expect(watch.unchangedFor('a', 2, 200, 200)).toBe(0)
  expect(watch.unchangedFor('a', 2, 300, 300)).toBe(100)
})

test('counts rows separately, and a forgotten row from its next read', () => {
  const watch = new LeaseWatch()
  watch.unchangedFor('a', 1, 0, 0)
  watch.unchangedFor('b', 1, 50, 50)
  watch.forget('a')
  expect(watch.unchangedFor('a', 1, 100, 100)).toBe(0)
  expect(watch.unchangedFor('b', 1, 100, 100)).toBe(50)
})

test('watches at most ten thousand rows', () => {
  const watch = new LeaseWatch()
  for (let row = 0; row <= 10_000; row += 1) watch.unchangedFor(`row ${row}`, 1, 0, 0)
  expect(watch.unchangedFor('row 0', 1, 100, 100)).toBe(0)
  expect(watch.unchangedFor('row 9000', 1, 100, 100)).toBe(100)
})
