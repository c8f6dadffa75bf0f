import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'

const compose = `services:
  db:
    image: busybox:latest
    command: [sleep, "9"]
  web:
    image: busybox:latest
    command: [sleep, "9"]
    depends_on: [db]
`

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await world.cli('stacks create shop --file -', { stdin: compose })
  await world.cli('stacks deploy shop')
  return world
}

const states = (world: Awaited<ReturnType<typeof withShop>>) =>
  [...world.engine.state.containers.values()].map(({ name, state }) => `${name} ${state}`)

test('0: stop and start services, one after the other, with progress', async () => {
  await using world = await withShop()
  const stop = await world.cli('stacks stop shop web db --timeout 3')
  expect(stop.code).toBe(0)
  expect(stop.out).toMatch(
    /^web of shop is stopped: 1 change in .*\ndb of shop is stopped: 1 change/,
  )
  expect(stop.err).toMatch(/^stopped +container shop-web-1 /m)
  expect(world.engine.executed.filter(({ action }) => action === 'stop')).toMatchObject([
    { timeoutSeconds: 3 },
    { timeoutSeconds: 3 },
  ])
  expect(states(world)).toEqual(['shop-db-1 exited', 'shop-web-1 exited'])
  const start = await world.cli('stacks start shop web')
  expect(start.out).toMatch(/^web of shop is started: 2 changes in /)
  expect(states(world)).toEqual(['shop-db-1 running', 'shop-web-1 running'])
  expect((await world.cli('stacks start shop web')).out).toBe('web of shop: nothing to do\n')
})

test('0: pause and unpause a service', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks pause shop db')).out).toMatch(
    /^db of shop is paused: 1 change in /,
  )
  expect(states(world)).toEqual(['shop-db-1 paused', 'shop-web-1 running'])
  expect((await world.cli('stacks unpause shop db')).code).toBe(0)
  expect(states(world)).toEqual(['shop-db-1 running', 'shop-web-1 running'])
})

test('0: stop without services stops the stack', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks stop shop')).out).toMatch(/^shop is stopped: 2 changes/)
  expect(states(world)).toEqual([])
})

test('1: stops at the first service that fails', async () => {
  await using world = await withShop()
  const { code, err } = await world.cli('stacks stop shop nope web')
  expect([code, err]).toEqual([1, expect.stringContaining('it has no service nope')])
  expect(states(world)).toEqual(['shop-db-1 running', 'shop-web-1 running'])
})

test('2: services are needed, and a timeout in seconds', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks start shop')).code).toBe(2)
  const soon = await world.cli('stacks stop shop web --timeout soon')
  expect([soon.code, soon.err]).toEqual([2, expect.stringContaining('must be seconds from 0')])
})
