import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { adminLease } from './admins.ts'
import { releaseAdminLock } from './release-admin-lock.ts'

/** The lock of a holder that has ended, as seen by the process that releases it. */
async function abandoned() {
  const ports = memoryPorts()
  const lease = present(await ports.leases.acquire(adminLease, 'killed', 10_000))
  const revision = async () => (await ports.leases.peek(adminLease)).revision
  return { ports, lease, revision }
}

test('releases a lock whose holder has ended', async () => {
  const { ports } = await abandoned()
  await releaseAdminLock(ports)
  expect(await ports.leases.peek(adminLease)).toMatchObject({ held: true })
  ports.clock.advance(10_000)
  expect(await ports.leases.peek(adminLease)).toMatchObject({ held: false, isExpired: true })
  await releaseAdminLock(ports)
  expect(await ports.leases.peek(adminLease)).toMatchObject({ held: false, isExpired: false })
})

test('leaves a lock that its holder has renewed, and one that is released', async () => {
  const { ports, lease, revision } = await abandoned()
  ports.clock.advance(9_000)
  await ports.leases.renew(lease)
  ports.clock.advance(9_000)
  const renewed = await revision()
  await releaseAdminLock(ports)
  expect(await revision()).toBe(renewed)
  await ports.leases.release(lease)
  const released = await revision()
  ports.clock.advance(60_000)
  await releaseAdminLock(ports)
  expect(await revision()).toBe(released)
})

test('leaves a lock that another process has acquired in the meantime', async () => {
  const { ports } = await abandoned()
  await ports.leases.peek(adminLease)
  ports.clock.advance(10_000)
  const { peek } = ports.leases
  ports.leases.peek = async (name) => {
    const seen = await peek(name)
    await ports.leases.acquire(adminLease, 'next', 10_000)
    return seen
  }
  await releaseAdminLock(ports)
  expect(await peek(adminLease)).toMatchObject({ held: true, holder: 'next' })
})
