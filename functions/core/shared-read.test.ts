import { expect, test, vi } from 'vitest'
import { memoryClock } from '../../adapters/memory/clock.ts'
import { sharedRead } from './shared-read.ts'

test('who asks within the time gets what the first one read, also while it is read', async () => {
  const clock = memoryClock()
  let count = 0
  const read = sharedRead(async () => ++count, 2000, clock)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  clock.advance(1999)
  expect(await read()).toBe(1)
  clock.advance(1)
  expect(await read()).toBe(2)
})

test('a clock that is set back makes it read again', async () => {
  const clock = memoryClock()
  let count = 0
  const read = sharedRead(async () => ++count, 2000, clock)
  await read()
  clock.advance(-60_000)
  expect(await read()).toBe(2)
})

test('what failed is not kept', async () => {
  const source = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce('here')
  const read = sharedRead(source, 2000, memoryClock())
  await expect(Promise.all([read(), read()])).rejects.toThrow('away')
  expect(await read()).toBe('here')
  expect(source).toHaveBeenCalledTimes(2)
})
