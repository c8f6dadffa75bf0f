import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { type HeldLease, keepLease, LostLease, withLeaseRenewal } from './lease-renewal.ts'

const never = new AbortController().signal

/** Work under a lease of 10 s, on a clock that only the test advances. */
async function working() {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire('a', 'me', 10_000))
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  let held: HeldLease | undefined
  const work = withLeaseRenewal(lease, never, ports, async (given) => {
    held = given
    await done
  })
  const finish = () => {
    end()
    return work
  }
  return { ports, held: present(held), end: finish }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('renews a lease every three seconds and releases it at the end', async () => {
  const { ports, held, end } = await working()
  for (let times = 0; times < 10; times += 1) {
    ports.clock.advance(3000)
    await settled()
  }
  expect(held.signal.aborted).toBe(false)
  expect(await ports.leases.acquire('a', 'other', 10_000)).toBeUndefined()
  await end()
  expect(await ports.leases.acquire('a', 'other', 10_000)).toMatchObject({ holder: 'other' })
})

test('aborts the work when another process acquires the lease', async () => {
  const { ports, held, end } = await working()
  const { renew } = ports.leases
  ports.leases.renew = () => new Promise(() => {})
  ports.clock.advance(10_000)
  const other = present(await ports.leases.acquire('a', 'other', 10_000))
  ports.leases.renew = renew
  await expect(held.ensure(5000)).rejects.toThrow(LostLease)
  expect(held.signal.aborted).toBe(true)
  void end()
  await settled()
  expect(await ports.leases.peek('a')).toMatchObject({ held: true, fence: other.fence })
})

test('renews a lease before work that needs more time than is left', async () => {
  const { ports, held, end } = await working()
  let renewals = 0
  const { renew } = ports.leases
  ports.clock.advance(2900)
  ports.leases.renew = (...given) => {
    renewals += 1
    return renew(...given)
  }
  await held.ensure(5000)
  expect(renewals).toBe(0)
  await held.ensure(8000)
  expect(renewals).toBe(1)
  await end()
})

test('steps that need more time at once share one renewal', async () => {
  const { ports, held, end } = await working()
  let renewals = 0
  const { renew } = ports.leases
  ports.leases.renew = (...given) => {
    renewals += 1
    return renew(...given)
  }
  ports.clock.advance(2900)
  await Promise.all(Array.from({ length: 5 }, () => held.ensure(8000)))
  expect([renewals, held.signal.aborted]).toEqual([1, false])
  await end()
})

test('loses a lease that the store does not renew in time', async () => {
  const { ports, held, end } = await working()
  const { renew } = ports.leases
  ports.leases.renew = async () => {
    throw new Error('the store does not respond')
  }
  ports.clock.advance(6000)
  await settled()
  expect(held.signal.aborted).toBe(false)
  await expect(held.ensure(5000)).rejects.toThrow(LostLease)
  expect(held.signal.aborted).toBe(true)
  ports.leases.renew = renew
  await end()
})

test('a lease that another process acquired and released is lost and stays free', async () => {
  const { ports, held, end } = await working()
  const { renew } = ports.leases
  ports.leases.renew = () => new Promise(() => {})
  ports.clock.advance(10_000)
  const other = present(await ports.leases.acquire('a', 'other', 10_000))
  await ports.leases.release(other)
  ports.leases.renew = renew
  await expect(held.ensure(5000)).rejects.toThrow(LostLease)
  void end()
  await settled()
  expect(await ports.leases.peek('a')).toMatchObject({ held: false, fence: other.fence })
})

/** Work before a lease is used, on a clock that only the test advances. */
async function keeping() {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire('a', 'me', 10_000))
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const kept = keepLease(lease, ports, async () => {
    await done
    return 'planned'
  })
  return { ports, lease, kept, end }
}

test('keeps a lease during long work, and returns it as just renewed', async () => {
  const { ports, lease, kept, end } = await keeping()
  for (let times = 0; times < 4; times += 1) {
    ports.clock.advance(3000)
    await settled()
  }
  expect(await ports.leases.acquire('a', 'other', 10_000)).toBeUndefined()
  end()
  const { result, lease: renewed } = await kept
  expect(result).toBe('planned')
  expect(renewed).toMatchObject({ fence: lease.fence, renewedAt: ports.clock.monotonic() })
  expect(await ports.leases.peek('a')).toMatchObject({ held: true, holder: 'me' })
})

test('the work before a lease is used fails if another process acquired the lease', async () => {
  const { ports, kept, end } = await keeping()
  const { renew } = ports.leases
  ports.leases.renew = () => Promise.reject(new Error('the store is away'))
  ports.clock.advance(10_000)
  await settled()
  expect(await ports.leases.acquire('a', 'other', 10_000)).toBeDefined()
  ports.leases.renew = renew
  end()
  await expect(kept).rejects.toThrow(LostLease)
})

test('the work before a lease is used fails with the error of the store', async () => {
  const { ports, kept, end } = await keeping()
  ports.leases.renew = () => Promise.reject(new Error('the store is away'))
  end()
  await expect(kept).rejects.toThrow('the store is away')
})

test('the last renewal waits for one that is under way', async () => {
  const { ports, kept, end } = await keeping()
  const { renew } = ports.leases
  let running = 0
  let most = 0
  ports.leases.renew = async (lease) => {
    running += 1
    most = Math.max(most, running)
    await settled()
    running -= 1
    return renew(lease)
  }
  ports.clock.advance(3000)
  end()
  await kept
  expect(most).toBe(1)
})
