import { expect, test } from 'vitest'
import { windowOf } from './window-of.ts'

const view = (top: number) => ({ top, height: 360, rowHeight: 36 })

test('shows the rows in sight and at least twelve around them', () => {
  expect(windowOf(view(0), 1000)).toEqual({ first: 0, last: 35 })
  expect(windowOf(view(3600), 1000)).toEqual({ first: 84, last: 131 })
  for (let top = 0; top < 36_000; top += 7) {
    const { first, last } = windowOf(view(top), 1000)
    expect(first).toBeLessThanOrEqual(Math.max(0, top / 36 - 12))
    expect(last).toBeGreaterThanOrEqual(Math.min(1000, (top + 360) / 36 + 12))
  }
})

test('stays the same for twelve rows', () => {
  for (let row = 97; row < 108; row += 1)
    expect(windowOf(view(row * 36), 1000)).toEqual(windowOf(view(97 * 36), 1000))
})

test('a list that became shorter than the scroll position still shows its end', () => {
  expect(windowOf(view(36_000), 20)).toEqual({ first: 0, last: 20 })
})

test('a short list is shown whole', () => {
  expect(windowOf(view(0), 3)).toEqual({ first: 0, last: 3 })
  expect(windowOf(view(0), 0)).toEqual({ first: 0, last: 0 })
})
