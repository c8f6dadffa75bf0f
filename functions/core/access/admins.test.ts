import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { isActiveAdmin, withAdminLock } from './admins.ts'

test('runs one change at a time: the second starts when the first is done', async () => {
  const ports = memoryPorts()
  let running = 0
  const most: number[] = []
  const work = async () => {
    running += 1
    most.push(running)
    await ports.accounts.list()
    running -= 1
  }
  await Promise.all(Array.from({ length: 5 }, () => withAdminLock(ports, work)))
  expect(most).toEqual([1, 1, 1, 1, 1])
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  const done = withAdminLock(ports, async (ensureLock) => {
    ensureLock()
    ports.clock.advance(5001)
    ensureLock()
  })
  await expect(done).rejects.toMatchObject({ status: 409 })
})

test('409: gives up after 2 s while another process holds the lock', async () => {
  const ports = memoryPorts()
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  await ports.leases.acquire('admins', 'another', 10_000)
  const begun = ports.clock.monotonic()
  const refused = withAdminLock(ports, () => Promise.reject(new Error('it ran')))
  await expect(refused).rejects.toMatchObject({ status: 409 })
  expect(ports.clock.monotonic() - begun).toBe(2_000)
})

test('releases the lock although the change failed', async () => {
  const ports = memoryPorts()
  const failed = withAdminLock(ports, () => Promise.reject(new Error('refused')))
  await expect(failed).rejects.toThrow('refused')
  await ports.background.settled()
  expect(await ports.leases.peek('admins')).toMatchObject({ held: false })
})

test('an active admin is enabled and can access every host', () => {
  const admin = { role: 'admin', disabled: false, scopeTags: [] }
  expect(isActiveAdmin(admin)).toBe(true)
  expect(isActiveAdmin({ ...admin, role: 'owner' })).toBe(false)
  expect(isActiveAdmin({ ...admin, disabled: true })).toBe(false)
  expect(isActiveAdmin({ ...admin, scopeTags: ['lab'] })).toBe(false)
})
