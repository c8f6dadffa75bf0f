import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { parsePath } from '../api/parse-path.ts'

async function loggedIn() {
  const world = await clientWorld()
  await world.login()
  return world
}

test('0: prints the response of any endpoint', async () => {
  await using world = await loggedIn()
  const me = await world.cli('api /me')
  expect(JSON.parse(me.out)).toMatchObject({ username: 'ada' })
  expect(await world.cli('api GET /api/v1/me')).toEqual(me)
  expect((await world.cli('api get /me --jq .role')).out).toBe('admin\n')
  expect((await world.cli('api /users?x=y --output name')).code).toBe(1)
  const metrics = await world.cli('api /metrics')
  expect(metrics).toMatchObject({ code: 0, out: expect.stringContaining('# HELP') })
})

test('0: sends a body from the command line, a file or standard input', async () => {
  await using world = await loggedIn()
  const set = (value: number) => JSON.stringify({ 'auth.lockout_max_attempts': value })
  const now = async () =>
    (await world.cli(['api', '/settings', '--jq', '.["auth.lockout_max_attempts"]'])).out
  expect((await world.cli(['api', 'PUT', '/settings', '-d', set(3)])).code).toBe(0)
  expect(await now()).toBe('3\n')
  writeFileSync(join(world.home, 'body.json'), set(4))
  await world.cli('api PUT /settings -d @body.json')
  expect(await now()).toBe('4\n')
  await world.cli('api PUT /settings --data -', { stdin: set(6) })
  expect(await now()).toBe('6\n')
})

test('0: api calls an endpoint that has no command', async () => {
  await using world = await loggedIn()
  await stackOf(world, 'shop', 'services: {web: {image: "busybox:latest", command: sleep 60}}')
  const stop = await world.cli('api POST /containers/shop-web-1/stop -q timeout=1 -q host=local')
  expect(stop.code).toBe(0)
  expect((await world.cli('containers list')).out).not.toContain('shop-web-1')
})

test('0: --paginate prints one list', async () => {
  await using world = await loggedIn()
  await world.cli('roles create few stacks:read')
  const { code, out } = await world.cli('api /audit -q action=roles --paginate')
  expect({ code, rows: JSON.parse(out).length }).toEqual({ code: 0, rows: 1 })
  expect((await world.cli('api /me --paginate')).err).toContain('the response is no list')
})

test('1, 3 and 4: exits as every command does', async () => {
  await using world = await loggedIn()
  expect(await world.cli('api /nothing')).toMatchObject({ code: 1, out: '' })
  expect((await world.cli('api /me --token wrong')).code).toBe(3)
  await world.cli('roles create few stacks:read')
  await world.cli('users create olga --role few', { stdin: 'correct horse battery\n' })
  const login = ['login', world.server, '--user', 'olga']
  await world.cli(login, { stdin: 'correct horse battery\n' })
  expect((await world.cli('api /users')).code).toBe(4)
})

test.each([
  'api',
  'api PATCH /me',
  'api POST',
  'api stacks',
  'api /stacks/../users',
  'api /%2e%2e/metrics',
  'api //other.example/x',
  'api /stacks#x',
  'api /stacks/ä',
  'api POST /stacks -d {',
  'api /stacks -q host',
  'api POST /audit --paginate',
])('2: cli %s', async (words) => {
  await using world = await loggedIn()
  expect(await world.cli(words)).toMatchObject({ code: 2, out: '' })
})

test('1: the file of a body cannot be read', async () => {
  await using world = await loggedIn()
  mkdirSync(join(world.home, 'folder'))
  for (const name of ['@none', '@folder'])
    expect((await world.cli(['api', 'PUT', '/settings', '-d', name])).code).toBe(1)
})

test('a query may be in the path, in flags or in both', () => {
  expect(parsePath('/api/v1/stacks/a%2Fb?x=1&x=2', ['y=a=b', 'x=3'])).toEqual({
    resource: '/stacks/a%2Fb',
    query: { x: ['1', '2', '3'], y: ['a=b'] },
  })
})

test('0: open prints the address; 1: no stack has that name', async () => {
  await using world = await loggedIn()
  await stackOf(world, 'shop', 'services: {web: {image: "busybox:latest"}}')
  expect((await world.cli('open')).out).toBe(`${world.server}/\n`)
  expect((await world.cli('open shop')).out).toBe(`${world.server}/stacks/shop\n`)
  expect((await world.cli('open shpo')).err).toContain('did you mean shop?')
  expect(JSON.parse((await world.cli('open --output json')).out)).toEqual({
    url: `${world.server}/`,
  })
})
