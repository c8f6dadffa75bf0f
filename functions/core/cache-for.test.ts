import { expect, test, vi } from 'vitest'
import { memoryClock } from '../../adapters/testing/memory/clock.ts'
import { cacheFor } from './cache-for.ts'

test('returns the cached value until it expires, and shares a read in progress', async () => {
  const clock = memoryClock()
  let count = 0
  const { get: read } = cacheFor(async () => ++count, 2000, clock.now)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  clock.advance(1999)
  expect(await read()).toBe(1)
  clock.advance(1)
  expect(await read()).toBe(2)
})

test('reads again after the clock is set back', async () => {
  const clock = memoryClock()
  let count = 0
  const { get: read } = cacheFor(async () => ++count, 2000, clock.now)
  await read()
  clock.advance(-60_000)
  expect(await read()).toBe(2)
})

test('does not cache a failure', async () => {
  const source = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce('here')
  const { get: read } = cacheFor(source, 2000, memoryClock().now)
  await expect(Promise.all([read(), read()])).rejects.toThrow('away')
  expect(await read()).toBe('here')
  expect(source).toHaveBeenCalledTimes(2)
})

test('reads again after it was invalidated', async () => {
  let count = 0
  const { get, invalidate: forget } = cacheFor(async () => ++count, 2000, memoryClock().now)
  await get()
  forget()
  expect(await get()).toBe(2)
})
