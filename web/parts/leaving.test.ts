import { expect, test } from 'vitest'
import { leave } from './leaving.ts'

const untouched = { isTouched: false, isShownOnce: false }
const touched = { isTouched: true, isShownOnce: false }
const secret = { isTouched: false, isShownOnce: true }

test.each([
  ['beside', untouched, 'close'],
  ['beside', touched, 'stay'],
  ['beside', secret, 'stay'],
  ['escape', untouched, 'close'],
  ['escape', touched, 'ask'],
  ['escape', secret, 'close'],
  ['button', untouched, 'close'],
  ['button', touched, 'ask'],
  ['button', secret, 'close'],
] as const)('%s of %o: %s', (by, state, result) => {
  expect(leave(by, state)).toBe(result)
})
