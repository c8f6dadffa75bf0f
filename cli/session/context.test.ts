import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { admin, clientWorld } from '../../local/harness/client.ts'

type World = Awaited<ReturnType<typeof clientWorld>>

const loginAs = ({ cli, server }: World, name: string) =>
  cli(['login', server, '--user', admin.username, '--context', name], { stdin: admin.password })

const listed = async ({ cli }: World) => JSON.parse((await cli('contexts list --output json')).out)

test('0: each context keeps its own login, and a login in one is used from then on', async () => {
  await using world = await clientWorld()
  await world.login()
  const first = await world.config()
  expect((await loginAs(world, 'nas')).code).toBe(0)
  const { context, contexts, ...top } = await world.config()
  expect(top).toEqual(first)
  expect(context).toBe('nas')
  expect(contexts.nas.refresh_token).not.toBe(first.refresh_token)
  const { server } = world
  expect(await listed(world)).toEqual([
    { name: 'default', server, current: false, logged_in: true },
    { name: 'nas', server, current: true, logged_in: true },
  ])
})

test('0: renews the login of the context in use alone', async () => {
  await using world = await clientWorld()
  await world.login()
  await loginAs(world, 'nas')
  const before = await world.config()
  world.ports.clock.advance(15 * 60_000)
  expect((await world.cli('whoami')).code).toBe(0)
  const after = await world.config()
  expect(after.contexts.nas.token).not.toBe(before.contexts.nas.token)
  expect(after.token).toBe(before.token)
  expect((await world.cli('whoami --context default')).code).toBe(0)
  expect((await world.config()).token).not.toBe(before.token)
})

test('0: the flag comes before the environment, and that before the context in use', async () => {
  await using world = await clientWorld()
  await world.login()
  await loginAs(world, 'nas')
  const marked = async (argv: string, env = {}) =>
    (await world.cli(argv, { env })).out.split('\n').find((line) => line.startsWith('*'))
  expect(await marked('context list')).toContain('nas')
  expect(await marked('context list', { CLI_CONTEXT: 'default' })).toContain('default')
  expect(await marked('context list --context nas', { CLI_CONTEXT: 'default' })).toContain('nas')
})

test('0: use selects another context, and logout ends only its session', async () => {
  await using world = await clientWorld()
  await world.login()
  await loginAs(world, 'nas')
  const used = await world.cli('context use default', { env: { CLI_CONTEXT: 'nas' } })
  expect(used).toEqual({
    code: 0,
    out: `Using default: ${world.server}\n`,
    err: 'warning: CLI_CONTEXT is set and comes first\n',
  })
  expect((await world.cli('logout')).code).toBe(0)
  expect((await world.cli('whoami')).code).toBe(3)
  expect((await world.cli('whoami --context nas')).code).toBe(0)
})

test('0: delete ends the session, and the default context is used again', async () => {
  await using world = await clientWorld()
  await world.login()
  await loginAs(world, 'nas')
  const { contexts } = await world.config()
  expect(await world.cli('context rm nas --yes')).toEqual({
    code: 0,
    out: 'Deleted nas\n',
    err: '',
  })
  expect(await world.config()).not.toHaveProperty('context')
  expect((await world.config()).contexts).toEqual({})
  expect((await world.cli('whoami')).code).toBe(0)
  expect((await world.cli(['whoami', '--token', contexts.nas.token])).code).toBe(3)
})

test('1: a context that does not exist', async () => {
  await using world = await clientWorld()
  await world.login()
  for (const argv of [
    'whoami --context constructor',
    'context use nas',
    'context delete nas --yes',
  ]) {
    const { code, err } = await world.cli(argv)
    expect([code, err], argv).toEqual([1, expect.stringContaining('there is no context')])
  }
})

test.each(['whoami --context ../x', 'context use __proto__', 'context delete default --yes'])(
  '2: %s',
  async (argv) => {
    await using world = await clientWorld()
    await world.login()
    const before = await readFile(world.configFile, 'utf8')
    expect((await world.cli(argv)).code).toBe(2)
    expect(await readFile(world.configFile, 'utf8')).toBe(before)
  },
)

test.each([{ contexts: [] }, { contexts: { nas: 'x' } }, { contexts: { nas: { token: 1 } } }])(
  '1: a configuration with %j is not valid',
  async (config) => {
    await using world = await clientWorld()
    await world.login()
    await writeFile(world.configFile, JSON.stringify(config))
    const { code, err } = await world.cli('whoami')
    expect([code, err]).toEqual([1, expect.stringContaining('is not a valid configuration')])
  },
)
