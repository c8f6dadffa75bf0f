import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import { isActiveAdmin, oneAtATime } from './admins.ts'

test('one at a time: the second begins when the first is done', async () => {
  const ports = memoryPorts()
  let running = 0
  const most: number[] = []
  const work = async () => {
    running += 1
    most.push(running)
    await ports.accounts.list()
    running -= 1
  }
  await Promise.all(Array.from({ length: 5 }, () => oneAtATime(ports, work)))
  expect(most).toEqual([1, 1, 1, 1, 1])
})

test('409: a process that was held up writes no more', async () => {
  const ports = memoryPorts()
  const done = oneAtATime(ports, async (stillOurs) => {
    stillOurs()
    ports.clock.advance(5001)
    stillOurs()
  })
  await expect(done).rejects.toMatchObject({ status: 409 })
})

test('an admin counts who can sign in and reaches every host', () => {
  const admin = { role: 'admin', disabled: false, scopeTags: [] }
  expect(isActiveAdmin(admin)).toBe(true)
  expect(isActiveAdmin({ ...admin, role: 'owner' })).toBe(false)
  expect(isActiveAdmin({ ...admin, disabled: true })).toBe(false)
  expect(isActiveAdmin({ ...admin, scopeTags: ['lab'] })).toBe(false)
})
