import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { acquireWithin } from './acquire-within.ts'

const hour = 3_600_000
const length = 10_000
const timeout = 2_000

/** A lease that another process holds, on a clock that moves only while the call waits. */
async function held() {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire('a', 'another', length))
  const begun = ports.clock.monotonic()
  const waited = () => ports.clock.monotonic() - begun
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  /** Runs `work` before each attempt, as something that happens meanwhile. */
  const beforeEach = (work: () => Promise<unknown>) => {
    const { acquire } = ports.leases
    ports.leases.acquire = async (...given) => {
      await work()
      return acquire(...given)
    }
  }
  const acquire = (signal?: AbortSignal) => acquireWithin('a', { timeout, signal }, ports)
  return { ports, lease, waited, beforeEach, acquire }
}

test('acquires a free lease at once', async () => {
  const { ports, lease, waited, acquire } = await held()
  await ports.leases.release(lease)
  expect(await acquire()).toMatchObject({ name: 'a', length })
  expect(waited()).toBe(0)
})

test('acquires a lease that is released while it waits', async () => {
  const { ports, lease, waited, beforeEach, acquire } = await held()
  beforeEach(async () => waited() >= 1_000 && (await ports.leases.release(lease)))
  expect(await acquire()).toMatchObject({ name: 'a', fence: lease.fence + 1 })
  expect(waited()).toBe(1_000)
})

test('gives up after its timeout while another process holds the lease', async () => {
  const { ports, waited, acquire } = await held()
  expect(await acquire()).toBeUndefined()
  expect(waited()).toBe(timeout)
  expect(await ports.leases.peek('a')).toMatchObject({ held: true, holder: 'another' })
})

test('waits until the lease of a holder that seems to have ended is over', async () => {
  const { ports, waited, acquire } = await held()
  ports.clock.jump(hour)
  expect(await acquire()).toBeDefined()
  expect(waited()).toBe(length)
})

test('gives up on a lease that seems stale but is renewed, 2 s after its length', async () => {
  const { ports, lease, waited, beforeEach, acquire } = await held()
  const { peek } = ports.leases
  // The clock of the holder is behind by more than the length of the lease.
  ports.leases.peek = async (name) => ({ ...(await peek(name)), isStale: true })
  beforeEach(() => ports.leases.renew(lease))
  expect(await acquire()).toBeUndefined()
  expect(waited()).toBe(length + 2_000)
})

test('tries once more after a pause of this process that outlasted its timeout', async () => {
  const { ports, lease, acquire } = await held()
  ports.clock.sleep = async () => {
    ports.clock.advance(60_000)
    await ports.leases.release(lease)
  }
  expect(await acquire()).toBeDefined()
})

test('two waiters of one process do not share the lease', async () => {
  const { ports, lease, acquire } = await held()
  await ports.leases.release(lease)
  const answers = await Promise.all([acquire(), acquire()])
  expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
})

test('rejects with the reason of the signal, and does not acquire afterwards', async () => {
  const { ports, lease, waited, beforeEach, acquire } = await held()
  const stop = new AbortController()
  beforeEach(async () => waited() >= 500 && stop.abort(new Error('stopped')))
  await expect(acquire(stop.signal)).rejects.toThrow('stopped')
  expect(waited()).toBeLessThanOrEqual(550)
  await ports.leases.release(lease)
  await expect(acquire(stop.signal)).rejects.toThrow('stopped')
  expect(await ports.leases.peek('a')).toMatchObject({ held: false })
})
