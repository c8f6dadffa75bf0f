import { expect, test } from 'vitest'
import { end } from '../../../adapters/testing/memory/engine-life.ts'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

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
async function waitingWorld() {
  const world = await clientWorld()
  await world.login()
  await world.cli('stacks create shop --file -', { stdin: compose })
  const { engine } = world
  return Object.assign(world, {
    begun: () =>
      expect.poll(() => engine.executed.some(({ action }) => action === 'wait')).toBe(true),
    finish() {
      const job = [...engine.state.containers.values()].find(({ name }) => name === 'shop-job-1')
      end(engine.state, present(job), 0)
      engine.state.touch()
    },
  })
}

const newest = async (world: Awaited<ReturnType<typeof waitingWorld>>) =>
  present((await world.ports.deployments.listByStack('shop', 1))[0])

/** Deploys on a terminal, interrupts once the deploy waits, and types keys at the question. */
async function interrupted(world: Awaited<ReturnType<typeof waitingWorld>>, keys: string) {
  let interrupt: (() => void) | undefined
  const deploy = world.cli('stacks deploy shop', {
    keys,
    columns: 100,
    onInterrupt: (send) => {
      interrupt = send
    },
  })
  await world.begun()
  await expect.poll(() => interrupt).toBeDefined()
  interrupt?.()
  return { deploy, again: () => interrupt?.() }
}

const down = '\u001b[B'

test('1: an interrupt on a terminal offers to cancel, and the deploy ends', async () => {
  await using world = await waitingWorld()
  const { deploy } = await interrupted(world, `${down}\r`)
  const { code, err } = await deploy
  expect(err).toContain('The deploy of shop is running. What now?')
  expect(err).toContain('cancelled: no further step starts')
  expect(err).toContain('cli: the deployment was interrupted: cancelled by ada\n')
  expect(code).toBe(1)
})

test('130: the user lets it continue in the background', async () => {
  await using world = await waitingWorld()
  const { deploy } = await interrupted(world, '\r')
  const { code, err } = await deploy
  expect(code).toBe(130)
  const { id } = await newest(world)
  expect(err).toContain(`the deployment continues: cli stacks deployments watch shop ${id}\n`)
  const watch = world.cli('stacks deployments watch shop')
  world.finish()
  expect(await watch).toMatchObject({ code: 0, out: expect.stringMatching(/^shop is deployed/) })
})

test('130: a second interrupt exits', async () => {
  await using world = await waitingWorld()
  const { deploy, again } = await interrupted(world, `${down}${down}\r`)
  const left = deploy.then(({ code }) => code)
  await expect
    .poll(async () => {
      again()
      return Promise.race([left, new Promise((resolve) => setTimeout(resolve, 50))])
    })
    .toBe(130)
  world.finish()
  await world.ports.background.settled()
  expect((await newest(world)).status).toBe('succeeded')
})

test('0: cancel stops the deployment that runs, or the named one', async () => {
  await using world = await waitingWorld()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  const { id } = await newest(world)
  const ended = await world.cli('stacks cancel shop')
  expect(ended).toMatchObject({ code: 0, out: 'the deploy of shop is being cancelled\n' })
  expect(ended.err).toContain(`cli stacks deployments watch shop ${id}`)
  expect(await deploy).toMatchObject({ code: 1 })
  expect((await newest(world)).error).toBe('cancelled by ada')
  const late = await world.cli(`stacks cancel shop ${id}`)
  expect(late.code).toBe(1)
  expect(late.err).toContain('the deploy has ended (interrupted)')
  const none = await world.cli('stacks cancel shop')
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('no deployment of shop') })
})

test('1: watch says how the deployment ended; a stack may be called watch', async () => {
  await using world = await waitingWorld()
  expect((await world.cli('stacks deployments watch shop')).err).toContain('has no deployments')
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  await world.cli('stacks cancel shop')
  await deploy
  const { id } = await newest(world)
  const watch = await world.cli(`stacks deployments watch shop ${id.slice(0, 30)}`)
  expect(watch).toMatchObject({ code: 1, err: expect.stringContaining('cancelled by ada') })
  await world.cli('stacks create watch --file -', { stdin: compose })
  expect(await world.cli('stacks deployments -- watch')).toMatchObject({ code: 0 })
})
