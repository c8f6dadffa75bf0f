import { expect, test } from 'vitest'
import { count, type NewWorld } from './world.ts'

const failedOnce = { failed: 1, pending: [5], lockedUntil: null }

/** Tests the port `Attempts`. */
export function attemptsContract(newWorld: NewWorld) {
  test('every key is empty at first', async () => {
    const { stores } = await newWorld()
    expect(await stores.attempts.read(`name:${'é'.repeat(3000)}`)).toEqual({
      value: { failed: 0, pending: [], lockedUntil: null },
      version: 0,
    })
  })

  test('a hundred concurrent swaps of one version: one succeeds', async () => {
    const { stores, peer, clock } = await newWorld()
    for (let round = 0; round < 2; round++) {
      const { version } = await stores.attempts.read('a')
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 ? stores : peer).attempts.swap('a', version, failedOnce, clock.now() + 1000),
        ),
      )
      expect(count(answers, true)).toBe(1)
    }
    expect((await peer.attempts.read('a')).value).toEqual(failedOnce)
    expect((await peer.attempts.read('b')).version).toBe(0)
  })

  test('an expired entry is gone and its version is invalid', async () => {
    const { stores, clock } = await newWorld()
    await stores.attempts.swap('a', 0, failedOnce, clock.now() + 1000)
    const { version } = await stores.attempts.read('a')
    clock.advance(1000)
    expect(await stores.attempts.read('a')).toMatchObject({ value: { failed: 0 }, version: 0 })
    expect(await stores.attempts.swap('a', version, failedOnce, clock.now() + 1000)).toBe(false)
    expect(await stores.attempts.swap('a', 0, failedOnce, clock.now() + 1000)).toBe(true)
    expect(await stores.attempts.swap('a', version, failedOnce, clock.now() + 1000)).toBe(false)
  })
}
