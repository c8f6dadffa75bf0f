import { expect, test } from 'vitest'
import { acquireWithin } from '../../functions/core/leases/acquire-within.ts'
import { dynamoWorld } from '../../local/harness/dynamo-world.ts'
import { memoryRandom } from '../testing/memory/random.ts'
import { present } from '../testing/present.ts'

/** A service that holds a lease, and a process for which leases do not expire. */
async function heldByService() {
  const { clock, stores, peer } = await dynamoWorld({ leasesExpire: false })
  const lease = present(await stores.leases.acquire('web', 'service', 1000))
  return { clock, stores, lease, leases: peer.leases }
}

test('a process that takes over nothing leaves the lease of a holder that has ended', async () => {
  const { clock, leases, stores } = await heldByService()
  for (let minutes = 0; minutes < 3; minutes += 1) {
    expect(await leases.acquire('web', 'function', 1000)).toBeUndefined()
    const seen = await leases.peek('web')
    expect(seen).toMatchObject({ held: true, isExpired: false, holder: 'service' })
    expect(await leases.acquireIfUnchanged(seen, 'function', 1000)).toBeUndefined()
    clock.advance(60_000)
  }
  expect(await stores.leases.acquire('web', 'another', 1000)).toMatchObject({ holder: 'another' })
})

test('it acquires a released lease, and keeps and renews its own', async () => {
  const { clock, leases, stores, lease } = await heldByService()
  await stores.leases.release(lease)
  const own = present(await leases.acquire('web', 'function', 1000))
  expect(own.fence).toBeGreaterThan(lease.fence)
  clock.advance(5000)
  expect(await leases.renew(own)).toMatchObject({ holder: 'function', fence: own.fence })
  await leases.release(own)
  expect(await stores.leases.peek('web')).toMatchObject({ held: false, isExpired: false })
})

test('it waits for a lease whose holder has ended until another process releases it', async () => {
  const { clock, leases, stores } = await heldByService()
  clock.sleep = async (milliseconds) => clock.advance(milliseconds)
  const ports = { clock, leases, random: memoryRandom(clock) }
  expect(await acquireWithin('web', { timeout: 2000 }, ports)).toBeUndefined()
  const seen = await stores.leases.peek('web')
  await stores.leases.release(
    present(await stores.leases.acquireIfUnchanged(seen, 'service', 1000)),
  )
  expect(await acquireWithin('web', { timeout: 2000 }, ports)).toMatchObject({ name: 'web' })
})
