import { expect, test, vi } from 'vitest'
import { memoryClock } from '../../adapters/memory/clock.ts'
import { remember } from './remember.ts'

test('who asks within the time gets what the first one read, also while it is read', async () => {
  const clock = memoryClock()
  let count = 0
  const { get: read } = remember(async () => ++count, 2000, clock.now)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  clock.advance(1999)
  expect(await read()).toBe(1)
  clock.advance(1)
  expect(await read()).toBe(2)
})

test('a clock that is set back makes it read again', async () => {
  const clock = memoryClock()
  let count = 0
  const { get: read } = remember(async () => ++count, 2000, clock.now)
  await read()
  clock.advance(-60_000)
  expect(await read()).toBe(2)
})

test('what failed is not kept', async () => {
  const source = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce('here')
  const { get: read } = remember(source, 2000, memoryClock().now)
  await expect(Promise.all([read(), read()])).rejects.toThrow('away')
  expect(await read()).toBe('here')
  expect(source).toHaveBeenCalledTimes(2)
})

test('what was forgotten is read again', async () => {
  let count = 0
  const { get, forget } = remember(async () => ++count, 2000, memoryClock().now)
  await get()
  forget()
  expect(await get()).toBe(2)
})
