import { expect, test } from 'vitest'
import { timeLeft } from '../../../functions/core/ports/leases.ts'
import { present } from '../present.ts'
import type { NewWorld } from './world.ts'

const hour = 3_600_000

/** Tests that every implementation of the port `Leases` must pass. */
export function leasesContract(newWorld: NewWorld) {
  test('fifty concurrent acquisitions: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).leases.acquire('web', `holder-${index}`, 1000),
      ),
    )
    const leases = answers.filter((lease) => lease !== undefined)
    expect(leases).toHaveLength(1)
    const { holder, fence } = present(leases[0])
    expect(await peer.leases.peek('web')).toMatchObject({ held: true, holder, fence })
    expect(await peer.leases.peek('db')).toMatchObject({ held: false, holder: null, fence: 0 })
  })

  test('a renewal keeps the fence', async () => {
    const { stores, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    clock.advance(900)
    expect(timeLeft(first, clock)).toBe(100)
    const again = present(await stores.leases.acquire('web', 'a', 1000))
    expect(again.fence).toBe(first.fence)
    expect(timeLeft(again, clock)).toBe(1000)
    expect(await stores.leases.acquire('web', 'b', 1000)).toBeUndefined()
  })

  test('the holder can renew an expired lease that no other acquired', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    clock.advance(5000)
    expect(await stores.leases.acquire('web', 'a', 1000)).toMatchObject({ fence: first.fence })
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
  })

  test('expires once its row is unchanged for the duration; the fence grows', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    expect(await peer.leases.peek('web')).toMatchObject({ held: true })
    clock.advance(999)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.advance(1)
    expect(await peer.leases.peek('web')).toMatchObject({ held: false })
    const second = present(await peer.leases.acquire('web', 'b', 1000))
    expect(second.fence).toBeGreaterThan(first.fence)
    expect(await stores.leases.acquire('web', 'a', 1000)).toBeUndefined()
  })

  test('a lease is expired until it is acquired again; a released one is not', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    expect(await peer.leases.peek('web')).toMatchObject({ held: true, isExpired: false })
    clock.advance(1000)
    const seen = await peer.leases.peek('web')
    expect(seen).toMatchObject({ held: false, isExpired: true })
    const second = present(await peer.leases.acquireIfUnchanged(seen, 'b', 1000))
    expect(await stores.leases.peek('web')).toMatchObject({ held: true, isExpired: false })
    await stores.leases.release(first)
    expect(await stores.leases.peek('web')).toMatchObject({ held: true, holder: 'b' })
    await peer.leases.release(second)
    clock.advance(1000)
    expect(await stores.leases.peek('web')).toMatchObject({ held: false, isExpired: false })
  })

  test('a renewal seen by another process restarts the duration', async () => {
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
  ])('a clock that jumps %s neither ends nor extends a lease', async (_, by) => {
    const { stores, peer, clock } = await newWorld()
    await stores.leases.acquire('web', 'a', 1000)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.jump(by)
    expect((await peer.leases.peek('web')).isStale).toBe(by > 0)
    expect(await peer.leases.acquire('web', 'b', 1000)).toBeUndefined()
    clock.advance(1000)
    expect(await peer.leases.acquire('web', 'b', 1000)).toMatchObject({ holder: 'b' })
  })

  test('a released lease is free; the fence still grows', async () => {
    const { stores, peer } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    await stores.leases.release(first)
    expect(await peer.leases.peek('web')).toMatchObject({ held: false, fence: first.fence })
    const second = present(await peer.leases.acquire('web', 'a', 1000))
    expect(second.fence).toBeGreaterThan(first.fence)
  })

  test('an acquisition during a release in the same process succeeds', async () => {
    const { stores } = await newWorld()
    const lease = present(await stores.leases.acquire('web', 'a', 1000))
    const releasing = stores.leases.release(lease)
    const seen = await stores.leases.peek('web')
    const next = await stores.leases.acquireIfUnchanged(seen, 'b', 1000)
    expect(next).toMatchObject({ holder: 'b' })
    await releasing
  })

  test('acquires a lease seen as free only if unchanged since', async () => {
    const { stores, peer } = await newWorld()
    const never = await stores.leases.peek('web')
    const attempts = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? stores : peer).leases.acquireIfUnchanged(never, `holder-${index}`, 1000),
    )
    const leases = (await Promise.all(attempts)).filter((lease) => lease !== undefined)
    expect(leases).toMatchObject([{ name: 'web', fence: 1, length: 1000 }])
    const held = await stores.leases.peek('web')
    await stores.leases.release(present(leases[0]))
    expect(await peer.leases.acquireIfUnchanged(held, 'a', 1000)).toBeUndefined()
    const free = await peer.leases.peek('web')
    const passing = present(await stores.leases.acquire('web', 'b', 1000))
    await stores.leases.release(passing)
    expect(await peer.leases.acquireIfUnchanged(free, 'a', 1000)).toBeUndefined()
    const again = await peer.leases.peek('web')
    const next = await peer.leases.acquireIfUnchanged(again, 'a', 1000)
    expect(next).toMatchObject({ fence: 3, holder: 'a' })
  })

  test('a renewal never acquires a lost or released lease', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    await peer.leases.peek('web')
    clock.advance(1000)
    const again = present(await stores.leases.renew(first))
    // A timer and a step may need it at the same time.
    const twice = await Promise.all([stores.leases.renew(first), stores.leases.renew(first)])
    expect(twice.every((one) => one !== undefined)).toBe(true)
    expect(again.fence).toBe(first.fence)
    expect(timeLeft(again, clock)).toBe(1000)
    await peer.leases.peek('web')
    clock.advance(1000)
    const second = present(await peer.leases.acquire('web', 'b', 1000))
    expect(await stores.leases.renew(again)).toBeUndefined()
    await peer.leases.release(second)
    expect(await stores.leases.renew(again)).toBeUndefined()
    expect(await peer.leases.renew(second)).toBeUndefined()
    expect(await stores.leases.peek('web')).toMatchObject({ held: false, fence: second.fence })
  })

  test('raises the fence above that of a lost lease', async () => {
    const { stores, peer } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    const raised = present(await stores.leases.raiseFence(first, 57))
    expect(raised).toMatchObject({ holder: 'a', fence: 58 })
    expect(await stores.leases.raiseFence(first, 99)).toBeUndefined()
    expect(await stores.leases.raiseFence(raised, 5)).toMatchObject({ fence: 58 })
    await stores.leases.release(raised)
    expect(await peer.leases.acquire('web', 'b', 1000)).toMatchObject({ fence: 59 })
  })

  test('does not acquire an expired lease after its holder renews it', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.leases.acquire('web', 'a', 1000)
    await peer.leases.peek('web')
    clock.advance(1000)
    const over = await peer.leases.peek('web')
    expect(over.held).toBe(false)
    await stores.leases.acquire('web', 'a', 1000)
    expect(await peer.leases.acquireIfUnchanged(over, 'b', 1000)).toBeUndefined()
  })

  test('releasing a lease that another holds does nothing', async () => {
    const { stores, peer, clock } = await newWorld()
    const first = present(await stores.leases.acquire('web', 'a', 1000))
    await peer.leases.peek('web')
    clock.advance(1000)
    await peer.leases.acquire('web', 'b', 1000)
    await stores.leases.release(first)
    expect(await peer.leases.peek('web')).toMatchObject({ held: true, holder: 'b' })
  })
}
