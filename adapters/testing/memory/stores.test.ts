import { expect, test } from 'vitest'
import { present } from '../present.ts'
import { memoryClock } from './clock.ts'
import { memoryPorts } from './stores.ts'

test('IDs sort by creation order', () => {
  const { random, clock } = memoryPorts()
  const made = Array.from({ length: 20 }, (_, index) => {
    if (index % 5 === 0) clock.advance(1)
    return random.id()
  })
  expect([...made].sort()).toEqual(made)
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a given port replaces the default, and the other ports use it', async () => {
  const clock = memoryClock(5)
  const ports = memoryPorts({ clock })
  expect(ports.clock).toBe(clock)
  expect(await ports.leases.acquire('a', 'me', 10)).toMatchObject({ renewedAt: 5 })
})

test('waits for background work and reports its errors', async () => {
  const { background } = memoryPorts()
  let done = false
  background.run('one', async () => {
    done = true
  })
  await background.settled()
  expect(done).toBe(true)
  background.run('two', async () => {
    throw new Error('no')
  })
  await expect(background.settled()).rejects.toThrow('no')
})

test('returns copies', async () => {
  const { settings, hosts } = memoryPorts()
  const host = present(await hosts.find('local'))
  host.tags.push('changed')
  expect((await hosts.find('local'))?.tags).toEqual([])
  expect((await settings.get())['auth.lockout_max_attempts']).toBe(5)
})
