import { expect, test } from 'vitest'
import { timeLeft } from '../../functions/core/leases.ts'
import type { NewWorld } from './world.ts'

const hour = 3_600_000

/** What the port `Leases` promises. */
export function leasesContract(newWorld: NewWorld) {
  test('of fifty that acquire it at once, one has it', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).leases.acquire('web', `holder-${index}`, 1000),
      ),
    )
    const leases = answers.filter((lease) => lease !== undefined)
    expect(leases).toHaveLength(1)
    const { holder, fence } = leases[0]!
    expect(await peer.leases.peek('web')).toMatchObject({ held: true, holder, fence })
    expect(await peer.leases.peek('db')).toMatchObject({ held: false, holder: null, fence: 0 })
  })

  test('its holder renews it under the same fence', async () => {
    const { stores, clock } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    clock.advance(900)
    expect(timeLeft(first, clock)).toBe(100)
    const again = (await stores.leases.acquire('web', 'a', 1000))!
    expect(again.fence).toBe(first.fence)
    expect(timeLeft(again, clock)).toBe(1000)
    expect(await stores.leases.acquire('web', 'b', 1000)).toBeUndefined()
  })

  test('its holder renews it after its length if no other acquired it', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    clock.advance(5000)
    expect(await stores.leases.acquire('web', 'a', 1000)).toMatchObject({ fence: first.fence })
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
  })

  test('is over once its row stayed the same for its length, and the fence grows', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    expect(await peer.leases.peek('web')).toMatchObject({ held: true })
    clock.advance(999)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.advance(1)
    expect(await peer.leases.peek('web')).toMatchObject({ held: false })
    const second = (await peer.leases.acquire('web', 'b', 1000))!
    expect(second.fence).toBeGreaterThan(first.fence)
    expect(await stores.leases.acquire('web', 'a', 1000)).toBeUndefined()
  })

  test('a renewal that another process sees makes it count again', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.leases.acquire('web', 'a', 1000)
    for (let renewals = 0; renewals < 5; renewals += 1) {
      expect(await peer.leases.peek('web')).toMatchObject({ held: true })
      clock.advance(900)
      await stores.leases.acquire('web', 'a', 1000)
    }
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
  })

  test.each([
    ['ahead', hour],
    ['back', -hour],
  ])('a clock that jumps %s neither ends it nor makes it last', async (_, by) => {
    const { stores, peer, clock } = await newWorld()
    await stores.leases.acquire('web', 'a', 1000)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.jump(by)
    expect((await peer.leases.peek('web')).isStale).toBe(by > 0)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.advance(1000)
    expect(await peer.leases.acquire('web', 'b', 1000)).toMatchObject({ holder: 'b' })
  })

  test('what was released is free, and the fence still grows', async () => {
    const { stores, peer } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    await stores.leases.release(first)
    expect(await peer.leases.peek('web')).toMatchObject({ held: false, fence: first.fence })
    const second = (await peer.leases.acquire('web', 'a', 1000))!
    expect(second.fence).toBeGreaterThan(first.fence)
  })

  test('a call of the same process during a release gets it', async () => {
    const { stores } = await newWorld()
    const lease = (await stores.leases.acquire('web', 'a', 1000))!
    const releasing = stores.leases.release(lease)
    const seen = await stores.leases.peek('web')
    const next = await stores.leases.acquireIfUnchanged(seen, 'b', 1000)
    expect(next).toMatchObject({ holder: 'b' })
    await releasing
  })

  test('one that was seen free is acquired only if nothing wrote it since', async () => {
    const { stores, peer } = await newWorld()
    const never = await stores.leases.peek('web')
    const attempts = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? stores : peer).leases.acquireIfUnchanged(never, `holder-${index}`, 1000),
    )
    const leases = (await Promise.all(attempts)).filter((lease) => lease !== undefined)
    expect(leases).toMatchObject([{ name: 'web', fence: 1, length: 1000 }])
    const held = await stores.leases.peek('web')
    await stores.leases.release(leases[0]!)
    expect(await peer.leases.acquireIfUnchanged(held, 'a', 1000)).toBeUndefined()
    const free = await peer.leases.peek('web')
    const passing = (await stores.leases.acquire('web', 'b', 1000))!
    await stores.leases.release(passing)
    expect(await peer.leases.acquireIfUnchanged(free, 'a', 1000)).toBeUndefined()
    const again = await peer.leases.peek('web')
    const next = await peer.leases.acquireIfUnchanged(again, 'a', 1000)
    expect(next).toMatchObject({ fence: 3, holder: 'a' })
  })

  test('a renewal keeps its fence, and never acquires what was lost or released', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    await peer.leases.peek('web')
    clock.advance(1000)
    const again = (await stores.leases.renew(first))!
    expect(again.fence).toBe(first.fence)
    expect(timeLeft(again, clock)).toBe(1000)
    await peer.leases.peek('web')
    clock.advance(1000)
    const second = (await peer.leases.acquire('web', 'b', 1000))!
    expect(await stores.leases.renew(again)).toBeUndefined()
    await peer.leases.release(second)
    expect(await stores.leases.renew(again)).toBeUndefined()
    expect(await peer.leases.renew(second)).toBeUndefined()
    expect(await stores.leases.peek('web')).toMatchObject({ held: false, fence: second.fence })
  })

  test('the fence of a lease is raised above one that was lost', async () => {
    const { stores, peer } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    const raised = (await stores.leases.raiseFence(first, 57))!
    expect(raised).toMatchObject({ holder: 'a', fence: 58 })
    expect(await stores.leases.raiseFence(first, 99)).toBeUndefined()
    expect(await stores.leases.raiseFence(raised, 5)).toMatchObject({ fence: 58 })
    await stores.leases.release(raised)
    expect(await peer.leases.acquire('web', 'b', 1000)).toMatchObject({ fence: 59 })
  })

  test('one that was seen over is not acquired once its holder renews it', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.leases.acquire('web', 'a', 1000)
    await peer.leases.peek('web')
    clock.advance(1000)
    const over = await peer.leases.peek('web')
    expect(over.held).toBe(false)
    await stores.leases.acquire('web', 'a', 1000)
    expect(await peer.leases.acquireIfUnchanged(over, 'b', 1000)).toBeUndefined()
  })

  test('a release of what another holds by now does nothing', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = (await stores.leases.acquire('web', 'a', 1000))!
    await peer.leases.peek('web')
    clock.advance(1000)
    await peer.leases.acquire('web', 'b', 1000)
    await stores.leases.release(first)
    expect(await peer.leases.peek('web')).toMatchObject({ held: true, holder: 'b' })
  })
}
