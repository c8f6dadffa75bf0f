import { expect, test } from 'vitest'
import { count, type NewWorld } from './world.ts'

/** Tests the port `Setup` with two processes that share a store. */
export function setupContract(newWorld: NewWorld) {
  test('the setup is open until it is used', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.setup.open()).toBe(true)
    expect(await stores.setup.consume()).toBe(true)
    expect(await peer.setup.open()).toBe(false)
    expect(await peer.setup.consume()).toBe(false)
  })

  test('a hundred concurrent uses: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? stores : peer).setup.consume()),
    )
    expect(count(answers, true)).toBe(1)
  })
}
