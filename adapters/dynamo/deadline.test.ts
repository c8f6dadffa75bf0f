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

test('two calls that follow on one that took too long are given less, all together less than three seconds', async () => {
  const deadlines = storeDeadlines(Date.now)
  expect(await hang(deadlines)).toBe(2500)
  expect(await hang(deadlines)).toBe(200)
  expect(await hang(deadlines)).toBe(200)
})

test('a short wait shortens nothing: the next call has its full time again', async () => {
  const deadlines = storeDeadlines(Date.now)
  await hang(deadlines)
  await hang(deadlines)
  vi.advanceTimersByTime(300)
  expect(await hang(deadlines)).toBe(2500)
})

test('an answer in time leaves no timer', async () => {
  expect(await storeDeadlines(Date.now).within(async () => 'answer')).toBe('answer')
  expect(vi.getTimerCount()).toBe(0)
})
