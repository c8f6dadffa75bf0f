import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { end } from '../../adapters/testing/memory/engine-life.ts'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { makeClient, type Reply } from '../api/client.ts'
import { pollUntilDone } from './poll.ts'

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
      end(engine.state, present(job), code)
      engine.state.touch()
    },
  })
}

test('0: follows a deployment while the service is away', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  await world.away()
  world.finish(0)
  await world.ports.background.settled()
  await world.back()
  expect(await deploy).toMatchObject({ code: 0, out: expect.stringContaining('is deployed') })
})

test('130: an interrupt stops following, not the deployment', async () => {
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
  const [, id = ''] =
    /the deployment continues: cli stacks deployments watch shop (.*)\n/.exec(err) ?? []
  const rest = `stacks deployments shop ${id}`
  expect((await world.cli(rest)).out).toMatch(/^status +running$/m)
  world.finish(0)
  await world.ports.background.settled()
  expect((await world.cli(rest)).out).toMatch(/^status +succeeded$/m)
})

test('1: a failing job fails the deployment', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  world.finish(3)
  const { code, err } = await deploy
  expect(code).toBe(1)
  expect(err).toMatch(/^failed +wait container shop-job-1/m)
  expect(err).toMatch(/cli: the deployment failed: /)
})

test('1: a second deploy while one is running', async () => {
  await using world = await waiting()
  const deploy = world.cli('stacks deploy shop')
  await world.begun()
  expect((await world.cli('stacks deploy shop')).code).toBe(1)
  world.finish(0)
  expect((await deploy).code).toBe(0)
})

/** Listens like a service that hangs: it accepts connections and never responds. */
async function silentServer() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    target: { server: `http://127.0.0.1:${port}`, insecure: false },
    [Symbol.dispose]: () => void server.close(),
  }
}

test('a service that accepts connections but never responds is given up in time', async () => {
  using server = await silentServer()
  const { target } = server
  const client = makeClient({ target, token: async () => 'x', renew: async () => undefined })
  const notes: string[] = []
  const progress = { show() {}, away: (why: string) => void notes.push(why), end() {} }
  const operation = {
    request: (options: { timeout: number }) => client.get('/health', options),
    progress,
    stoppedMessage: '',
  }
  const started = { value: { status: 'running' } } as Reply<{ status: string }>
  const limits = { interval: 1, timeout: 600, retryAfter: 100, away: 1000 }
  await expect(pollUntilDone(started, operation, {}, limits)).rejects.toThrow('timed out')
  expect(notes).toHaveLength(1)
})
