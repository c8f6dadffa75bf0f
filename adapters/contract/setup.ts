import { expect, test } from 'vitest'
import { count, type NewWorld } from './world.ts'

/** What the port `Setup` promises. */
export function setupContract(newWorld: NewWorld) {
  test('the secret matches until the right was used', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.setup.open()).toBe(true)
    expect(await stores.setup.matches('setup-secret')).toBe(true)
    for (const wrong of ['', 'setup-secre', 'setup-secret ', 'SETUP-SECRET']) {
      expect(await stores.setup.matches(wrong)).toBe(false)
    }
    expect(await stores.setup.consume()).toBe(true)
    expect(await peer.setup.open()).toBe(false)
    expect(await peer.setup.matches('setup-secret')).toBe(false)
  })

  test('of a hundred who use it at once, one was first', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? stores : peer).setup.consume()),
    )
    expect(count(answers, true)).toBe(1)
  })
}
