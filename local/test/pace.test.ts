import { expect, test } from 'vitest'
import { forecast, paceOf, paceOfRest } from './pace.mjs'

test.each([
  [240, 240, 1],
  [120, 240, 1],
  [648, 240, 2.7],
  [240, 0, 1],
])('%i s where %i s were recorded are a pace of %f', (measured, recorded, pace) => {
  expect(paceOf(measured, recorded)).toBe(pace)
})

test.each([
  [1, 1],
  [1.3, 1.7],
  [1.7, 2.5],
])('a pace of %f is one of %f for tests that start programs', (pace, expected) => {
  expect(paceOfRest(pace)).toBe(expected)
})

const files = { long: 400, middle: 300, short: 100, 'main-job': 400 }
const rest = {
  elapsed: 600,
  seconds: 600,
  files,
  untouched: ['short', 'long', 'middle'],
  repeating: [],
}

test('leaves out nothing when the run fits', () => {
  expect(forecast({ ...rest, pace: 2.7 })).toEqual({ minutes: 37, leftOut: [] })
})

test('leaves out the longest files that the change cannot break, and no more than needed', () => {
  expect(forecast({ ...rest, pace: 5 })).toEqual({ minutes: 44, leftOut: ['long'] })
  expect(forecast({ ...rest, pace: 8 })).toEqual({ minutes: 44, leftOut: ['long', 'middle'] })
})

test('never leaves out what the change can break, also if the run does not fit', () => {
  const { minutes, leftOut } = forecast({ ...rest, pace: 100, untouched: ['short'] })
  expect(leftOut).toEqual(['short'])
  expect(minutes).toBeGreaterThan(90)
})

test('then leaves out the longest files that repeat what others show, each once', () => {
  const repeating = ['short', 'middle', 'long']
  expect(forecast({ ...rest, pace: 12, untouched: ['short'], repeating })).toEqual({
    minutes: 50,
    leftOut: ['short', 'long', 'middle'],
  })
  expect(forecast({ ...rest, pace: 2.7, untouched: [], repeating }).leftOut).toEqual([])
})

test('a file without a recorded duration is not left out', () => {
  expect(forecast({ ...rest, pace: 100, untouched: ['new'] }).leftOut).toEqual([])
})
