import { expect, test } from 'vitest'
import type { AttemptState, Attempts } from '../../functions/core/ports/attempts.ts'
import { memoryAttempts } from '../testing/memory/attempts.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { gatherAttempts } from './gather-attempts.ts'

const state = (failed: number): AttemptState => ({ failed, pending: [], lockedUntil: null })
const never = Number.POSITIVE_INFINITY

function world() {
  const asked: string[] = []
  const store = memoryAttempts(memoryClock())
  const inner: Attempts = {
    read(key) {
      asked.push('read')
      return store.read(key)
    },
    swap(...change) {
      asked.push('swap')
      return store.swap(...change)
    },
  }
  return { asked, inner, store, attempts: gatherAttempts(inner) }
}

test('concurrent reads share one call; later ones make a new call', async () => {
  const { asked, attempts } = world()
  await Promise.all([attempts.read('a'), attempts.read('a'), attempts.read('b')])
  expect(asked).toEqual(['read', 'read'])
  await attempts.read('a')
  expect(asked).toHaveLength(3)
})

test('tries only the first of concurrent swaps of a version', async () => {
  const { asked, attempts } = world()
  const swaps = [1, 2, 3].map((failed) => attempts.swap('a', 0, state(failed), never))
  expect(await Promise.all(swaps)).toEqual([true, false, false])
  expect(asked).toEqual(['swap'])
  expect((await attempts.read('a')).value.failed).toBe(1)
})

test('a read started before a write does not serve callers after it', async () => {
  const { inner, store, attempts } = world()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  inner.read = async (key) => {
    const before = await store.read(key)
    await held
    return before
  }
  const early = attempts.read('a')
  await attempts.swap('a', 0, state(1), never)
  inner.read = (key) => store.read(key)
  expect((await attempts.read('a')).value.failed).toBe(1)
  release()
  expect((await early).value.failed).toBe(0)
})

test('lets the others retry when the first fails', async () => {
  const { inner, store, attempts } = world()
  inner.swap = async () => {
    throw new Error('the store does not respond')
  }
  const swaps = [1, 2].map((failed) => attempts.swap('a', 0, state(failed), never))
  const [first, second] = await Promise.allSettled(swaps)
  expect([first?.status, second]).toEqual(['rejected', { status: 'fulfilled', value: false }])
  inner.swap = (...change) => store.swap(...change)
  expect(await attempts.swap('a', 0, state(1), never)).toBe(true)
})
