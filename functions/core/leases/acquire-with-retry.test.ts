import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { acquireWithRetry } from './acquire-with-retry.ts'

const hour = 3_600_000

/** A lease that another run holds, and an attempt to acquire it. */
async function held(runId = 'run-1') {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire('a', `process/${runId}`, 10_000))
  let sleeps = 0
  // Time passes only while the call waits.
  ports.clock.sleep = async (milliseconds) => {
    sleeps += 1
    ports.clock.advance(milliseconds)
  }
  const attempt = () => ports.leases.acquire('a', 'process/run-2', 10_000)
  const retry = (hasEnded: (id: string) => boolean) =>
    acquireWithRetry('a', attempt, async (id) => hasEnded(id), ports)
  return { ports, lease, retry, sleeps: () => sleeps }
}

test('returns at once while an active run holds it', async () => {
  const { retry, sleeps } = await held()
  expect(await retry(() => false)).toBeUndefined()
  expect(sleeps()).toBe(0)
})

test('retries while a run holds it that is reported as finished', async () => {
  const { ports, lease, retry, sleeps } = await held()
  const acquired = retry((id) => {
    if (sleeps() === 5) void ports.leases.release(lease)
    return id === 'run-1'
  })
  expect(await acquired).toMatchObject({ holder: 'process/run-2' })
})

test('gives up on a finished run that never releases it', async () => {
  const { retry, sleeps } = await held()
  expect(await retry(() => true)).toBeUndefined()
  expect(sleeps()).toBe(44)
})

test('watches a lease that its holder stopped renewing, until it is over', async () => {
  const { ports, retry } = await held()
  ports.clock.jump(hour)
  const begun = ports.clock.monotonic()
  expect(await retry(() => false)).toMatchObject({ holder: 'process/run-2' })
  expect(ports.clock.monotonic() - begun).toBeLessThan(12_000)
})

test('acquires a watched lease that expires between an attempt and the read after it', async () => {
  const { ports, retry } = await held()
  const { clock, leases } = ports
  clock.jump(hour)
  const end = clock.monotonic() + 10_000
  const { peek } = leases
  leases.peek = (name) => {
    const left = end - clock.monotonic()
    if (left > 0 && left <= 100) clock.advance(left)
    return peek(name)
  }
  expect(await retry(() => false)).toMatchObject({ holder: 'process/run-2' })
})

test('does not wait for a holder that renews it, however late that seems by the wall clock', async () => {
  const { ports, lease, retry } = await held()
  ports.clock.jump(hour)
  const { peek } = ports.leases
  let peeks = 0
  ports.leases.peek = async (name) => {
    peeks += 1
    if (peeks === 10) await ports.leases.renew(lease)
    return { ...(await peek(name)), isStale: true }
  }
  expect(await retry(() => false)).toBeUndefined()
  expect(peeks).toBe(10)
})
