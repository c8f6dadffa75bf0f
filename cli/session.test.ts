import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { clientWorld } from '../local/harness/client.ts'

const quarter = 15 * 60_000

type World = Awaited<ReturnType<typeof clientWorld>>

const requests = ({ log }: World, route: string) =>
  log.lines.filter(({ fields }) => fields.route === route).map(({ fields }) => fields.status)

test('0: an access token that is over is renewed, and the new pair kept', async () => {
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

test('0: twenty clients at once renew the session once', async () => {
  await using world = await clientWorld()
  await world.login()
  world.ports.clock.advance(quarter)
  const ended = await Promise.all(Array.from({ length: 20 }, () => world.cli('whoami')))
  expect(ended.map(({ code }) => code)).toEqual(Array(20).fill(0))
  expect(requests(world, 'POST /auth/refresh')).toEqual([200])
})

test('0: a token that is about to end is renewed before it is sent', async () => {
  await using world = await clientWorld()
  await world.login()
  const config = await world.config()
  const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 30 })).toString('base64url')
  await writeFile(world.configFile, JSON.stringify({ ...config, token: `x.${claims}.x` }))
  expect((await world.cli('whoami')).code).toBe(0)
  expect(requests(world, 'GET /me')).toEqual([200, 200])
})

test('3: a session that is over says how to log in, and stays over', async () => {
  await using world = await clientWorld()
  await world.login()
  world.ports.clock.advance(15 * 86_400_000)
  const { code, err } = await world.cli('whoami')
  expect(code).toBe(3)
  expect(err).toContain(`  run: cli login ${world.server}\n`)
})

test('3: logout ends the session on the server and keeps its address', async () => {
  await using world = await clientWorld()
  await world.login()
  const before = await world.config()
  expect(await world.cli('logout')).toEqual({ code: 0, out: 'Logged out\n', err: '' })
  expect(await world.config()).toEqual({ server: world.server, insecure: false })
  const [account] = await world.ports.accounts.list()
  expect(await world.ports.sessions.listByAccount(account!.id)).toEqual([])
  expect((await world.cli(['whoami', '--token', before.token])).code).toBe(3)
  expect((await world.cli('whoami')).err).toContain(`run: cli login ${world.server}`)
  expect(await world.cli('logout')).toMatchObject({ code: 0, err: 'not logged in\n' })
})

test('0: logout works with the server gone', async () => {
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

test('0: CLI_SERVER and CLI_TOKEN need neither a configuration nor a home', async () => {
  await using world = await clientWorld()
  await world.login()
  const { token } = await world.config()
  const env = { HOME: '', CLI_SERVER: world.server, CLI_TOKEN: token }
  expect((await world.cli('whoami', { env })).code).toBe(0)
})

test('3: a token from outside is never renewed, and flags come before the environment', async () => {
  await using world = await clientWorld()
  await world.login()
  const env = { CLI_TOKEN: 'wrong' }
  expect((await world.cli('whoami', { env })).code).toBe(3)
  const { token } = await world.config()
  expect((await world.cli(['whoami', '--token', token], { env })).code).toBe(0)
  expect(requests(world, 'POST /auth/refresh')).toEqual([])
})

test('3: a refresh token goes to the server that it came from and to no other', async () => {
  await using world = await clientWorld()
  await world.login()
  const asked: string[] = []
  const other = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}')
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code } = await world.cli(['whoami', '--server', url])
  expect(code).toBe(3)
  expect(asked).toEqual(['/api/v1/me', '/api/v1/me'])
  expect((await world.cli('whoami')).code).toBe(0)
  other.closeAllConnections()
  other.close()
})

test('0: a configuration that others can read is warned of', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('whoami')).err).toBe('')
  await chmod(world.configFile, 0o644)
  const { code, err } = await world.cli('whoami')
  expect(code).toBe(0)
  expect(err).toBe(`cli: warning: others can read ${world.configFile}: chmod 600 it\n`)
})
