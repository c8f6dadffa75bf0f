import { expect, test } from 'vitest'
import { memoryClock } from './clock.ts'
import { memoryPorts } from './stores.ts'

test('ids made one after the other sort in that order', () => {
  const { random, clock } = memoryPorts()
  const made = Array.from({ length: 20 }, (_, index) => {
    if (index % 5 === 0) clock.advance(1)
    return random.id()
  })
  expect([...made].sort()).toEqual(made)
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a port that is given takes the place of its like, and the others are built upon it', async () => {
  const clock = memoryClock(5)
  const ports = memoryPorts({ clock })
  expect(ports.clock).toBe(clock)
  expect(await ports.leases.acquire('a', 'me', 10)).toMatchObject({ renewedAt: 5 })
})

test('the background is waited for, and its errors are not lost', async () => {
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

test('what is read is a copy', async () => {
  const { settings, hosts } = memoryPorts()
  const host = (await hosts.find('local'))!
  host.tags.push('changed')
  expect((await hosts.find('local'))!.tags).toEqual([])
  expect((await settings.get())['auth.lockout_max_attempts']).toBe(5)
})
