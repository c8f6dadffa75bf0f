import { expect, test } from 'vitest'
import type { NewWorld } from './world.ts'

/** Tests the port `Leases`. */
export function leasesContract(newWorld: NewWorld) {
  test('of fifty who take it at once, one has it', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).leases.take('web', `holder-${index}`, 1000),
      ),
    )
    const taken = answers.filter((lease) => lease !== undefined)
    expect(taken).toHaveLength(1)
    expect(await peer.leases.find('web')).toEqual(taken[0])
    expect(await peer.leases.find('db')).toBeUndefined()
  })

  test("taking one's own again prolongs it under the same fence", async () => {
    const { stores, clock } = await newWorld()
    const first = (await stores.leases.take('web', 'a', 1000))!
    clock.advance(900)
    const again = await stores.leases.take('web', 'a', 1000)
    expect(again).toEqual({ ...first, expiresAt: clock.now() + 1000 })
    expect(await stores.leases.take('web', 'b', 1000)).toBeUndefined()
  })

  test('what expired is free, and the fence grows', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.take('web', 'a', 1000))!
    clock.advance(1000)
    expect(await stores.leases.find('web')).toBeUndefined()
    const second = (await peer.leases.take('web', 'b', 1000))!
    expect(second.fence).toBeGreaterThan(first.fence)
    expect(await stores.leases.take('web', 'a', 1000)).toBeUndefined()
    clock.advance(1000)
    const third = (await stores.leases.take('web', 'b', 1000))!
    expect(third.fence).toBeGreaterThan(second.fence)
  })

  test('what was released is free, and the fence still grows', async () => {
    const { stores, peer } = await newWorld()
    const first = (await stores.leases.take('web', 'a', 1000))!
    await stores.leases.release(first)
    expect(await peer.leases.find('web')).toBeUndefined()
    const second = (await peer.leases.take('web', 'a', 1000))!
    expect(second.fence).toBeGreaterThan(first.fence)
  })

  test('a look says whether it is held, and grows with who had it', async () => {
    const { stores, peer, clock } = await newWorld()
    const free = { name: 'web', held: false }
    expect(await peer.leases.look('web')).toEqual({ ...free, fence: 0 })
    const { fence } = (await stores.leases.take('web', 'a', 1000))!
    expect(await peer.leases.look('web')).toEqual({ ...free, held: true, fence })
    clock.advance(1000)
    expect(await peer.leases.look('web')).toEqual({ ...free, fence })
    const second = (await peer.leases.take('web', 'b', 1000))!
    await peer.leases.release(second)
    expect(await stores.leases.look('web')).toEqual({ ...free, fence: second.fence })
  })

  test('who asks in the same process while it is given back gets it', async () => {
    const { stores } = await newWorld()
    const lease = (await stores.leases.take('web', 'a', 1000))!
    const releasing = stores.leases.release(lease)
    const seen = await stores.leases.look('web')
    expect(await stores.leases.takeNext(seen, 'b', 1000)).toMatchObject({ holder: 'b' })
    await releasing
  })

  test('one seen free is taken only when nobody had it since', async () => {
    const { stores, peer, clock } = await newWorld()
    const never = await stores.leases.look('web')
    const takers = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? stores : peer).leases.takeNext(never, `holder-${index}`, 1000),
    )
    const taken = (await Promise.all(takers)).filter((lease) => lease !== undefined)
    expect(taken).toMatchObject([{ name: 'web', fence: 1, expiresAt: clock.now() + 1000 }])
    expect(await peer.leases.find('web')).toEqual(taken[0])
    const held = await stores.leases.look('web')
    await stores.leases.release(taken[0]!)
    expect(await peer.leases.takeNext(held, 'a', 1000)).toBeUndefined()
    const free = await peer.leases.look('web')
    const passing = (await stores.leases.take('web', 'b', 1000))!
    await stores.leases.release(passing)
    expect(await peer.leases.takeNext(free, 'a', 1000)).toBeUndefined()
    const again = await peer.leases.look('web')
    expect(await peer.leases.takeNext(again, 'a', 1000)).toMatchObject({ fence: 3, holder: 'a' })
  })

  test('a release of what another holds by now does nothing', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.take('web', 'a', 1000))!
    clock.advance(1000)
    const second = await peer.leases.take('web', 'b', 1000)
    await stores.leases.release(first)
    expect(await peer.leases.find('web')).toEqual(second)
  })
}
