import { expect, test } from 'vitest'
import { logDisplayFrom } from './log-display-from.ts'

const usual = { wrap: false, times: true, json: true }

test.each([
  [undefined, usual],
  [null, usual],
  ['wrap', usual],
  [[true], usual],
  [{ wrap: 'yes', times: null, more: true }, usual],
  [{ wrap: true }, { ...usual, wrap: true }],
  [
    { wrap: true, times: false, json: false },
    { wrap: true, times: false, json: false },
  ],
])('%o is displayed as %o', (stored, display) => {
  expect(logDisplayFrom(stored, usual)).toEqual(display)
})
