import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld } from '../../local/harness/client.ts'
import type { Io } from '../io.ts'

const quarter = 15 * 60_000

type World = Awaited<ReturnType<typeof clientWorld>>

const requests = ({ log }: World, route: string) =>
  log.lines.filter(({ fields }) => fields.route === route).map(({ fields }) => fields.status)

test('0: renews an expired access token and saves the new pair', async () => {
  await using world = await clientWorld()
  await world.login()
  const before = await world.config()
  world.ports.clock.advance(quarter)
  expect((await world.cli('whoami')).code).toBe(0)
  const after = await world.config()
  expect(after.token).not.toBe(before.token)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  world.ports.clock.advance(quarter)
  expect((await world.cli('whoami')).code).toBe(0)
})

test('0: twenty concurrent clients renew the session once', async () => {
  await using world = await clientWorld()
  await world.login()
  world.ports.clock.advance(quarter)
  const ended = await Promise.all(Array.from({ length: 20 }, () => world.cli('whoami')))
  expect(ended.map(({ code }) => code)).toEqual(Array(20).fill(0))
  expect(requests(world, 'POST /auth/refresh')).toEqual([200])
})

test('0: renews a token that is about to expire before sending it', async () => {
  await using world = await clientWorld()
  await world.login()
  const config = await world.config()
  const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 30 })).toString('base64url')
  await writeFile(world.configFile, JSON.stringify({ ...config, token: `x.${claims}.x` }))
  expect((await world.cli('whoami')).code).toBe(0)
  expect(requests(world, 'GET /me')).toEqual([200, 200])
})

test('3: an ended session says how to log in and stays ended', async () => {
  await using world = await clientWorld()
  await world.login()
  world.ports.clock.advance(15 * 86_400_000)
  const { code, err } = await world.cli('whoami')
  expect(code).toBe(3)
  expect(err).toContain(`  run: cli login ${world.server}\n`)
})

test('3: logout ends the session on the server and keeps the address', async () => {
  await using world = await clientWorld()
  await world.login()
  const before = await world.config()
  expect(await world.cli('logout')).toEqual({ code: 0, out: 'Logged out\n', err: '' })
  expect(await world.config()).toEqual({ server: world.server, insecure: false })
  const [account] = await world.ports.accounts.list()
  expect(await world.ports.sessions.listByAccount(present(account).id)).toEqual([])
  expect((await world.cli(['whoami', '--token', before.token])).code).toBe(3)
  expect((await world.cli('whoami')).err).toContain(`run: cli login ${world.server}`)
  expect(await world.cli('logout')).toMatchObject({ code: 0, err: 'not logged in\n' })
})

test('0: logout works while the server is away', async () => {
  await using world = await clientWorld()
  await world.login()
  await writeFile(
    world.configFile,
    JSON.stringify({ ...(await world.config()), server: 'http://127.0.0.1:9' }),
  )
  const { code, err } = await world.cli('logout')
  expect(code).toBe(0)
  expect(err).toContain('could not be ended on the server')
  expect(await world.config()).not.toHaveProperty('token')
})

test('0: CLI_SERVER and CLI_TOKEN need no configuration and no home directory', async () => {
  await using world = await clientWorld()
  await world.login()
  const { token } = await world.config()
  const env = { HOME: '', CLI_SERVER: world.server, CLI_TOKEN: token }
  expect((await world.cli('whoami', { env })).code).toBe(0)
})

test('3: never renews an external token; flags override the environment', async () => {
  await using world = await clientWorld()
  await world.login()
  const env = { CLI_TOKEN: 'wrong' }
  expect((await world.cli('whoami', { env })).code).toBe(3)
  const { token } = await world.config()
  expect((await world.cli(['whoami', '--token', token], { env })).code).toBe(0)
  expect(requests(world, 'POST /auth/refresh')).toEqual([])
})

/** A server that is not the service, and the paths of the requests that it got. */
async function otherServer() {
  const asked: string[] = []
  const other = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}')
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  return { asked, url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
}

test.each(['flag', 'environment'])('3: sends no saved credential to a server by %s', async (by) => {
  await using world = await clientWorld()
  await world.login()
  const { asked, url } = await otherServer()
  const call = (argv: string[], env = {}) =>
    by === 'flag'
      ? world.cli([...argv, '--server', url], { env })
      : world.cli(argv, { env: { ...env, CLI_SERVER: url } })
  const { code, err } = await call(['whoami'])
  expect([code, err]).toEqual([
    3,
    `cli: the saved login is for ${world.server}, not for ${url}\n` +
      `  give a token in CLI_TOKEN or --token, or run: cli login ${url} --context <name>\n`,
  ])
  expect(asked).toEqual([])
  expect((await call(['whoami', '--token', 'mine'])).code).toBe(3)
  expect((await call(['whoami'], { CLI_TOKEN: 'yours' })).code).toBe(3)
  expect(asked).toEqual(['/api/v1/me Bearer mine', '/api/v1/me Bearer yours'])
  expect((await world.cli('whoami')).code).toBe(0)
})

test('0: --server may name the server of the saved login by another path', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli(['whoami', '--server', `${world.server}/api/v1/`])).code).toBe(0)
})

test('3: a renewal uses no credential of a login elsewhere', async () => {
  await using world = await clientWorld()
  await world.login()
  const saved = await world.config()
  const { asked, url } = await otherServer()
  const { openSession } = await import('./session.ts')
  const io = { env: { HOME: world.home }, platform: 'linux' } as unknown as Io
  const session = await openSession({}, io)
  await writeFile(world.configFile, JSON.stringify({ ...saved, server: url, token: 'theirs' }))
  expect(await session.renew(saved.token)).toBeUndefined()
  expect(asked).toEqual([])
})

test('0: warns of a configuration that others can read', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('whoami')).err).toBe('')
  await chmod(world.configFile, 0o644)
  const { code, err } = await world.cli('whoami')
  expect(code).toBe(0)
  expect(err).toBe(`cli: warning: others can read ${world.configFile}: chmod 600 it\n`)
})
