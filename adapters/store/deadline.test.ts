import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeDeadlines } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Makes a call that hangs until it is aborted. Returns how long that took, in milliseconds. */
async function hang(deadlines: ReturnType<typeof storeDeadlines>): Promise<number> {
  const began = Date.now()
  const ended = deadlines.within(
    (signal) =>
      new Promise<number>((resolve) => {
        signal.addEventListener('abort', () => resolve(Date.now() - began))
      }),
  )
  await vi.runAllTimersAsync()
  return ended
}

test('shortens the two calls after a timeout; all three take less than three seconds', async () => {
  const deadlines = storeDeadlines(Date.now)
  expect(await hang(deadlines)).toBe(2500)
  expect(await hang(deadlines)).toBe(200)
  expect(await hang(deadlines)).toBe(200)
})

test('a short wait leaves the next call its full time', async () => {
  const deadlines = storeDeadlines(Date.now)
  await hang(deadlines)
  await hang(deadlines)
  vi.advanceTimersByTime(300)
  expect(await hang(deadlines)).toBe(2500)
})

test('a response in time leaves no timer', async () => {
  expect(await storeDeadlines(Date.now).within(async () => 'answer')).toBe('answer')
  expect(vi.getTimerCount()).toBe(0)
})
