import { expect, test } from 'vitest'
import { admin, clientWorld } from '../local/harness/client.ts'

const connected = async () => {
  const world = await clientWorld()
  await world.login()
  return world
}

test('0: CLI_OUTPUT chooses the form of output, and any flag of output wins', async () => {
  await using world = await connected()
  const env = { CLI_OUTPUT: 'json' }
  const json = await world.cli('hosts list', { env })
  expect(JSON.parse(json.out)).toMatchObject([{ id: 'local' }])
  expect((await world.cli('hosts list --output table', { env })).out).toMatch(/^ID/)
  expect((await world.cli('hosts list -q', { env })).out).toBe('Cellar\n')
  expect((await world.cli('hosts list --jq .[0].id', { env: { CLI_OUTPUT: 'yaml' } })).out).toBe(
    'local\n',
  )
  expect((await world.cli('hosts list', { env: { CLI_OUTPUT: '' } })).out).toMatch(/^ID/)
})

test.each([
  ['CLI_OUTPUT', 'xml', 'CLI_OUTPUT "xml": must be table, json, yaml or name'],
  ['CLI_INSECURE', 'yes', 'CLI_INSECURE "yes": must be 1 or true'],
  ['CLI_INSECURE', '0', 'CLI_INSECURE "0": must be 1 or true'],
])('2: %s=%s names the variable', async (name, value, said) => {
  await using world = await connected()
  const { code, err } = await world.cli('whoami', { env: { [name]: value } })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`cli: ${said}`) })
})

test('CLI_HOST stands for a --host that is not given, and errors name it', async () => {
  await using world = await connected()
  const env = { CLI_HOST: 'far' }
  const missing = await world.cli('containers list', { env })
  expect(missing.code).toBe(1)
  expect(missing.err).toContain('far')
  expect(missing.err).not.toContain('--host:')
  expect((await world.cli('containers list --host local', { env })).code).toBe(0)
  const all = await world.cli('containers logs web', { env: { CLI_HOST: 'all' } })
  expect(all.code).toBe(2)
  expect(all.err).toContain('CLI_HOST all: only lists accept all')
  expect((await world.cli('whoami', { env })).code).toBe(0)
})

test('CLI_HOST does not move a backup job', async () => {
  await using world = await connected()
  const create = ['backups', 'create', 'nightly', '--system', '--to', 'nightly']
  expect(await world.cli(create)).toMatchObject({ code: 0 })
  const env = { CLI_HOST: 'far' }
  expect(await world.cli('backups update nightly --disable', { env })).toMatchObject({ code: 0 })
})

test('a login saves --insecure, but not CLI_INSECURE', async () => {
  await using world = await clientWorld()
  const login = ['login', world.server, '--user', admin.username]
  const stdin = admin.password
  await world.cli(login, { stdin, env: { CLI_INSECURE: '1' } })
  expect(await world.config()).toMatchObject({ insecure: false })
  await world.cli([...login, '--insecure'], { stdin, env: { CLI_INSECURE: 'nonsense' } })
  expect(await world.config()).toMatchObject({ insecure: true })
})
