import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const compose = `services:
  web:
    image: busybox:latest
    command: [sleep, "9"]
  job:
    image: busybox:latest
    command: echo migrated
    depends_on: [web]
    profiles: [tools]
`

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const left = async () => {
    await world.ports.background.settled()
    return [...world.engine.state.containers.values()].filter(({ name }) => /-run-/.test(name))
  }
  return Object.assign(world, { left })
}

test('0: run shows the output of the command of the service and leaves nothing', async () => {
  await using world = await withShop()
  expect(await world.cli('stacks run shop job')).toEqual({ code: 0, out: 'migrated\n', err: '' })
  expect(await world.left()).toEqual([])
})

test('7: run passes on the exit code, flags, input and variables', async () => {
  await using world = await withShop()
  const failing = ['stacks', 'run', '-T', 'shop', 'job', '--', 'sh', '-c', 'echo a; exit 7']
  expect(await world.cli(failing)).toMatchObject({ code: 7, out: 'a\n' })
  expect(await world.cli('stacks run shop web cat', { stdin: 'hello' })).toMatchObject({
    code: 0,
    out: 'hello',
  })
  const flags = ['-e', 'A=1=2', '-e', 'HOME', '-u', '1000', '--keep', '--entrypoint', 'echo']
  expect(await world.cli(['stacks', 'run', ...flags, 'shop', 'web', '-n'])).toMatchObject({
    code: 0,
  })
  const [kept] = await world.left()
  expect(kept?.body).toMatchObject({
    User: '1000',
    Env: ['A=1=2', `HOME=${world.home}`],
    Entrypoint: ['echo'],
    Cmd: ['-n'],
  })
})

test('1: a dependency is down, unless --no-deps says that it does not matter', async () => {
  await using world = await withShop()
  await world.cli('stacks stop shop')
  const refused = await world.cli('stacks run shop job')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('service web, which job depends on, is not running')
  expect(await world.cli('stacks run --no-deps shop job')).toMatchObject({ code: 0 })
})

test('130: an interrupt removes the container', async () => {
  await using world = await withShop()
  let interrupt: (() => void) | undefined
  const running = world.cli('stacks run shop web sleep 60', {
    onInterrupt: (send) => {
      interrupt = send
    },
  })
  await expect.poll(async () => (await world.left())[0]?.state).toBe('running')
  expect(interrupt).toBeDefined()
  interrupt?.()
  expect(await running).toMatchObject({ code: 130 })
  expect(await world.left()).toEqual([])
})

test('130: an interrupt before the feed opens removes the container', async () => {
  await using world = await withShop()
  const ended = await world.cli('stacks run shop web sleep 60', { onInterrupt: (send) => send() })
  expect(ended).toMatchObject({ code: 130 })
  expect(await world.left()).toEqual([])
})
