import { expect, test } from 'vitest'
import { makeServiceClock } from './service-clock.ts'

const second = 1000
const hour = 3_600_000
/** Where the clock of the service is. */
const right = Date.UTC(2026, 2, 9, 1, 4, 30, 400)

/** A browser whose clock is this far ahead, and a service that it asks. */
function browser(ahead: number) {
  let time = right
  let skew = ahead
  const clock = makeServiceClock(() => time + skew)
  return {
    clock,
    /** Asks after a wait. The response takes `length`, and is dated after the share `at` of it. */
    ask(wait: number, length: number, at = 0.5) {
      time += wait
      const sent = time + skew
      const date = new Date(time + length * at).toUTCString()
      time += length
      clock.note({ date, sent, received: time + skew })
    },
    set: (next: number) => {
      skew = next
    },
    error: () => Math.abs(clock.now() - time),
    pass: (length: number) => {
      time += length
    },
  }
}

test.each([
  ['two hours ahead', 2 * hour],
  ['two hours behind', -2 * hour],
  ['ten minutes behind', -600 * second],
  ['three days behind', -72 * hour],
  ['right', 0],
  ['in 1970', -right],
])('a browser %s has the time of the service after one response', (_name, ahead) => {
  const { clock, ask, error, pass } = browser(ahead)
  expect(clock.now()).toBe(right + ahead)
  ask(0, 80)
  expect(error()).toBeLessThanOrEqual(second)
  pass(hour)
  expect(error()).toBeLessThanOrEqual(second)
})

test('each response makes it more exact', () => {
  const { ask, error } = browser(2 * hour)
  for (let count = 0; count < 40; count += 1) ask(130, 20)
  expect(error()).toBeLessThanOrEqual(100)
})

test('a slow response adds nothing to what quick ones said', () => {
  const { ask, error } = browser(-2 * hour)
  for (let count = 0; count < 40; count += 1) ask(130, 20)
  ask(0, 60 * second, 0.99)
  expect(error()).toBeLessThanOrEqual(100)
})

test('follows the clock of the browser when it is set, and when it drifts', () => {
  const { ask, error, set } = browser(2 * hour)
  ask(0, 40)
  for (const ahead of [0, -72 * hour, 5 * second]) {
    set(ahead)
    ask(second, 40)
    expect(error()).toBeLessThanOrEqual(second)
  }
  for (let day = 1; day < 30; day += 1) {
    set(5 * second + day * 900)
    ask(24 * hour, 40)
    expect(error()).toBeLessThanOrEqual(2 * second)
  }
})

test('ignores responses that do not say a time, and those of a clock that was set back', () => {
  const { clock } = browser(hour)
  for (const date of [null, '', 'yesterday']) {
    clock.note({ date, sent: right, received: right + 10 })
  }
  clock.note({ date: new Date(0).toUTCString(), sent: right, received: right - hour })
  expect(clock.now()).toBe(right + hour)
  expect(clock.behind()).toBe(0)
})
