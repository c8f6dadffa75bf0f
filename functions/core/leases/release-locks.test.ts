import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { releaseLocks } from './release-locks.ts'
import { type LockName, lockNames } from './with-lock.ts'

/** A lock whose holder has ended, as seen by the process that releases it. */
async function abandoned(name: LockName) {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire(name, 'killed', 10_000))
  const revision = async () => (await ports.leases.peek(name)).revision
  return { ports, lease, revision }
}

test.each(lockNames)('releases the lock of %s whose holder has ended', async (name) => {
  const { ports } = await abandoned(name)
  await releaseLocks(ports)
  expect(await ports.leases.peek(name)).toMatchObject({ held: true })
  ports.clock.advance(10_000)
  expect(await ports.leases.peek(name)).toMatchObject({ held: false, isExpired: true })
  await releaseLocks(ports)
  expect(await ports.leases.peek(name)).toMatchObject({ held: false, isExpired: false })
})

const name = 'admins'

test('leaves a lock that its holder has renewed, and one that is released', async () => {
  const { ports, lease, revision } = await abandoned(name)
  ports.clock.advance(9_000)
  await ports.leases.renew(lease)
  ports.clock.advance(9_000)
  const renewed = await revision()
  await releaseLocks(ports)
  expect(await revision()).toBe(renewed)
  await ports.leases.release(lease)
  const released = await revision()
  ports.clock.advance(60_000)
  await releaseLocks(ports)
  expect(await revision()).toBe(released)
})

test('leaves a lock that another process has acquired in the meantime', async () => {
  const { ports } = await abandoned(name)
  await ports.leases.peek(name)
  ports.clock.advance(10_000)
  const { peek } = ports.leases
  ports.leases.peek = async (asked) => {
    const seen = await peek(asked)
    await ports.leases.acquire(name, 'next', 10_000)
    return seen
  }
  await releaseLocks(ports)
  expect(await peek(name)).toMatchObject({ held: true, holder: 'next' })
})
