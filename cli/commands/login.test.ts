import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { admin, clientWorld } from '../../local/harness/client.ts'

const configOf = async (file: string) => JSON.parse(await readFile(file, 'utf8'))

test('0: logs in with a user name and the password from standard input and saves the session', async () => {
  await using world = await clientWorld()
  const ended = await world.cli(['login', `${world.server}/`, '--user', 'ada'], {
    stdin: `${admin.password}\n`,
  })
  expect(ended).toEqual({
    code: 0,
    out: `Logged in to ${world.server} as ada (admin)\n`,
    err: '',
  })
  const config = await configOf(world.configFile)
  expect(Object.keys(config).sort()).toEqual(['insecure', 'refresh_token', 'server', 'token'])
  expect(config).toMatchObject({ server: world.server, insecure: false })
  const [account] = await world.ports.accounts.list()
  const [session] = await world.ports.sessions.listByAccount(present(account).id)
  expect(session?.remember).toBe(true)
})

test('0: logs in with --username; 2: with --user too', async () => {
  await using world = await clientWorld()
  const words = ['login', world.server, '--username', 'ada']
  expect((await world.cli(words, { stdin: admin.password })).code).toBe(0)
  const both = await world.cli([...words, '--user', 'ada'], { stdin: admin.password })
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('use only one')])
})

test('0: the configuration is private, and no other file is left behind', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await stat(world.configFile)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(world.configFile))).mode & 0o777).toBe(0o700)
  expect(await readdir(dirname(world.configFile))).toEqual(['config.json'])
})

test('0: makes an existing configuration private and keeps unknown keys', async () => {
  await using world = await clientWorld()
  await mkdir(dirname(world.configFile), { recursive: true })
  await writeFile(world.configFile, '{"theme":"dark","refresh_token":"old"}')
  await chmod(world.configFile, 0o644)
  await world.login()
  expect((await stat(world.configFile)).mode & 0o777).toBe(0o600)
  expect(await configOf(world.configFile)).toMatchObject({ theme: 'dark' })
})

test.each(['--token', 'stdin'])(
  '0: saves an API token from %s without a refresh token',
  async (way) => {
    await using world = await clientWorld()
    await world.login()
    const { out } = await world.cli('tokens create ci')
    const token = out.trim()
    await world.cli('logout')
    const ended =
      way === 'stdin'
        ? await world.cli(['login', world.server], { stdin: out })
        : await world.cli(['login', world.server, '--token', token])
    expect(ended.code).toBe(0)
    expect(await configOf(world.configFile)).toEqual({
      server: world.server,
      token,
      insecure: false,
    })
    expect((await world.cli('whoami')).out).toContain('API token')
  },
)

test('0: --output json prints the response of GET /me', async () => {
  await using world = await clientWorld()
  const argv = ['--output', 'json', 'login', world.server, '--user', 'ada']
  const { out } = await world.cli(argv, { stdin: admin.password })
  expect(JSON.parse(out)).toMatchObject({ username: 'ada', credential: 'session' })
  expect((await world.cli('whoami --output json')).out).toBe(out)
})

test('3: a wrong password leaves the configuration unchanged', async () => {
  await using world = await clientWorld()
  await world.login()
  const before = await readFile(world.configFile, 'utf8')
  const ended = await world.cli(['login', world.server, '--user', 'ada'], { stdin: 'wrong' })
  expect(ended.code).toBe(3)
  expect(ended.err).not.toContain('run: cli login')
  expect(await readFile(world.configFile, 'utf8')).toBe(before)
})

test('3: does not save a token that the server rejects', async () => {
  await using world = await clientWorld()
  const ended = await world.cli(['login', world.server, '--token', '0123'])
  expect(ended.code).toBe(3)
  await expect(readFile(world.configFile)).rejects.toThrow('ENOENT')
})

test('1: reports a locked account', async () => {
  await using world = await clientWorld()
  for (let n = 0; n < 5; n += 1) {
    await world.cli(['login', world.server, '--user', 'ada'], { stdin: 'wrong' })
  }
  const ended = await world.cli(['login', world.server, '--user', 'ada'], { stdin: admin.password })
  expect(ended.code).toBe(1)
  expect(ended.err).toMatch(/lock/i)
})

test.each([
  [['login', 'nas:x', '--token', 'x'], 'is not a URL'],
  [['login', 'ftp://localhost', '--token', 'x'], 'is not a URL'],
  [['login', 'http://ada:secret@localhost', '--token', 'x'], 'must not contain a user name'],
  [['login', 'http://localhost', '--token', 'x', '--user', 'ada'], 'use only one'],
  [['login', '--token', 'x'], 'which server'],
  [['login', 'http://localhost', '--user', 'ada'], 'contains no password'],
  [['login', 'http://localhost', '--token', ''], '--token is empty'],
  [['login', 'http://localhost'], 'contains no API token'],
])('2: %j', async (argv, said) => {
  await using world = await clientWorld()
  const ended = await world.cli(argv)
  expect(ended.err).toContain(said)
  expect(ended.code).toBe(2)
})

const bare = (server: string) => server.replace('http://', '')

test('0: a server without a scheme is tried with https, then with http on this machine', async () => {
  await using world = await clientWorld()
  const argv = ['login', bare(world.server), '--user', 'ada']
  expect(await world.cli(argv, { stdin: admin.password })).toMatchObject({
    code: 0,
    out: `Logged in to ${world.server} as ada (admin)\n`,
  })
})

test('1: a server without a scheme does not respond; nothing is sent to other programs', async () => {
  await using world = await clientWorld()
  const absent = await world.cli(['login', '127.0.0.1:9', '--token', 'x'])
  const said = 'cannot reach https://127.0.0.1:9: connection refused'
  expect(absent).toMatchObject({ code: 1, err: expect.stringContaining(said) })
  const requests: unknown[] = []
  const other = createServer((request, response) => {
    requests.push([request.url, request.headers.authorization])
    response.end('<html>')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const ended = await world.cli(['login', `127.0.0.1:${port}`, '--token', 'x'])
  expect([ended.code, requests]).toEqual([1, [['/api/v1/health', undefined]]])
  other.close()
  other.closeAllConnections()
})

test('http on a private address that is not this machine needs a yes', async () => {
  await using world = await clientWorld()
  await world.login()
  const token = (await world.cli('tokens create ci')).out.trim()
  // In this form it is not known as this machine.
  const server = `[::ffff:7f00:1]:${new URL(world.server).port}`
  const argv = ['login', server, '--token', token]
  const refused = await world.cli(argv)
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(`to use it: cli login http://${server}\n`),
  ])
  const no = await world.cli(argv, { keys: 'n' })
  expect([no.code, no.err]).toEqual([1, expect.stringContaining('sends credentials unencrypted')])
  const yes = await world.cli(argv, { keys: 'y' })
  expect([yes.code, yes.out]).toEqual([0, `Logged in to http://${server} as ada (admin)\n`])
})

test('404: the service is already set up', async () => {
  await using world = await clientWorld()
  const argv = ['setup', world.server, '--user', 'eve']
  const ended = await world.cli(argv, { stdin: 'setup-secret\ncorrect horse battery\n' })
  expect(ended.code).toBe(1)
  expect(ended.err).toContain('already set up')
})

test('0: setup creates the first admin and logs in', async () => {
  await using world = await clientWorld({ setUp: false })
  const stdin = 'wrong\ncorrect horse battery\n'
  expect((await world.cli(['setup', world.server], { stdin })).code).toBe(4)
  const right = stdin.replace('wrong', 'setup-secret')
  const ended = await world.cli(['setup', world.server], { stdin: right })
  expect(ended).toMatchObject({ code: 0, out: `Logged in to ${world.server} as admin (admin)\n` })
  expect((await world.cli('whoami')).code).toBe(0)
})
