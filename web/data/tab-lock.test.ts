import { expect, test } from 'vitest'
import { makeStorage } from '../browser/storage.ts'
import { tabLock } from './tab-lock.ts'

const lockWith = (request: (work: () => Promise<unknown>) => Promise<unknown>) =>
  tabLock({
    storage: makeStorage(() => null),
    locks: { request: (_, work) => request(work) as ReturnType<typeof work> },
    now: () => 1000,
    sleep: async () => {},
    tab: 'a',
  })
const denied = new DOMException('denied', 'SecurityError')

test('work runs in a browser that denies locks with its storage', async () => {
  const lock = lockWith(() => Promise.reject(denied))
  expect(await lock('session', async () => 'done')).toBe('done')
})

test('work that failed under a lock does not run again', async () => {
  let runs = 0
  const lock = lockWith((work) => work())
  const failing = lock('session', () => {
    runs += 1
    return Promise.reject(denied)
  })
  await expect(failing).rejects.toBe(denied)
  expect(runs).toBe(1)
})

test('a lock that fails for another reason says so', async () => {
  const lock = lockWith(() => Promise.reject(new Error('no')))
  await expect(lock('session', async () => 'done')).rejects.toThrow('no')
})
