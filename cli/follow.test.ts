import { expect, test } from 'vitest'
import { end } from '../adapters/memory/engine-life.ts'
import { clientWorld } from '../local/harness/client.ts'

const compose = `services:
  job:
    image: busybox:latest
    command: [sleep, "9"]
  web:
    image: busybox:latest
    command: [sleep, "9"]
    depends_on:
      job: { condition: service_completed_successfully }
`

/** Sets up a stack whose deploy waits for a job until `finish` ends it. */
async function waiting() {
  const world = await clientWorld()
  await world.login()
  await world.cli('stacks create shop --file -', { stdin: compose })
  const { engine } = world
  return Object.assign(world, {
    begun: () =>
      expect.poll(() => engine.executed.some(({ action }) => action === 'wait')).toBe(true),
    finish(code: number) {
      const job = [...engine.state.containers.values()].find(({ name }) => name === 'shop-job-1')
      end(engine.state, job!, code)
      engine.state.touch()
    },
  })
}

test('0: a deployment is followed through an absence of the service', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  await world.away()
  world.finish(0)
  await world.ports.background.settled()
  await world.back()
  expect(await deploy).toMatchObject({ code: 0, out: expect.stringContaining('is deployed') })
})

test('130: an interrupt ends the following, not the deployment', async () => {
  await using world = await waiting()
  let interrupt: (() => void) | undefined
  const deploy = world.cli('stacks deploy shop', {
    onInterrupt: (send) => {
      interrupt = send
    },
  })
  await world.begun()
  await expect.poll(() => interrupt).toBeDefined()
  interrupt?.()
  const { code, err } = await deploy
  expect(code).toBe(130)
  const [, rest = ''] = /the deployment continues: cli (.*)\n/.exec(err) ?? []
  expect((await world.cli(rest)).out).toMatch(/^status +running$/m)
  world.finish(0)
  await world.ports.background.settled()
  expect((await world.cli(rest)).out).toMatch(/^status +succeeded$/m)
})

test('1: a job that fails is a deployment that failed', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  world.finish(3)
  const { code, err } = await deploy
  expect(code).toBe(1)
  expect(err).toMatch(/^failed +wait container shop-job-1/m)
  expect(err).toMatch(/cli: the deployment failed: /)
})

test('1: another deploy while one goes on', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  expect((await world.cli('stacks deploy shop')).code).toBe(1)
  world.finish(0)
  expect((await deploy).code).toBe(0)
})
