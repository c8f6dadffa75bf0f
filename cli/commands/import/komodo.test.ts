import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { label } from '../../../functions/compose/create/labels.ts'
import { changeContainer } from '../../../local/harness/bundle.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'
import { startKomodo } from '../../../local/harness/peers/komodo.ts'
import { peerPath } from '../../../local/harness/peers/peer-fixtures.ts'

const compose = `services:
  kuma:
    image: busybox:latest
    command: sleep 60
`

/** Sets up the fake Komodo, a file of its resources, and its stack `uptime`, which runs here. */
async function withKomodo() {
  const server = await startKomodo()
  onTestFinished(() => server.close())
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'uptime', compose)
  await world.ports.stacks.remove('uptime')
  changeContainer(world, 'uptime-kuma-1', {
    Labels: {
      [label.workingDir]: '/etc/komodo/stacks/uptime',
      [label.configFiles]: '/etc/komodo/stacks/uptime/compose.yaml',
    },
  })
  const { key, secret } = server.admin
  await writeFile(join(world.home, 'key.txt'), `${key}\n${secret}\n`)
  await copyFile(peerPath('komodo', 'resources.toml'), join(world.home, 'resources.toml'))
  const run = (source: string, words: string) =>
    world.cli(`import komodo ${source} --map server-prod=Cellar ${words}`.trim())
  const fromFile = (words: string) => run('resources.toml', words)
  const fromServer = (words: string) => run(server.url, `--token-file key.txt ${words}`)
  const containers = () =>
    [...world.engine.state.containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)
  const names = async () => (await world.cli('stacks list -q')).out.split('\n').filter(Boolean)
  return Object.assign(world, { komodo: server, run, fromFile, fromServer, containers, names })
}

test('1: --dry-run of a file shows what happens, what is left out and why, and sends nothing', async () => {
  await using world = await withKomodo()
  const { code, out, err } = await world.fromFile('--dry-run')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^uptime +Cellar +would be adopted: .* tags \(only pages of the product show it\)/m,
  )
  expect(out).toMatch(/^weblog +Cellar +would be created: it is not deployed +-$/m)
  expect(out).toMatch(
    /^nextcloud +Cellar +would be created: .* DB_PASSWORD \(its value is not known\)/m,
  )
  expect(out).toMatch(/^agents +\S+ +left out: it is on a Docker Swarm/m)
  expect(out).toMatch(/^starter +server-prod +left out: it is a template/m)
  expect(out).toMatch(/^wiki +nas +failed: no host of this service is nas: use --map 'nas=<host>'/m)
  expect(out).toMatch(
    /^monitoring +Cellar +failed: its files are on the host: there, run cli stacks/m,
  )
  expect(err).toContain('the way back: cli stacks forget <name>')
  expect(err).toContain('cli stacks update-policy docs --mode notify')
  expect(err).toContain('not imported: deployment redis-01')
  expect(await world.names()).toEqual([])
})

test.each(['fromFile', 'fromServer'] as const)(
  '1: %s: adopts what runs and creates the rest, though some stacks cannot be imported',
  async (from) => {
    await using world = await withKomodo()
    const before = world.containers()
    const { code, out } = await world[from]('--yes')
    expect(code).toBe(1)
    expect(out).toMatch(/^uptime +Cellar +adopted: none of its containers was restarted/m)
    expect(world.containers()).toEqual(before)
    expect(await world.names()).toContain('uptime')
    const stack = JSON.parse((await world.cli('stacks get uptime --output json')).out)
    expect(stack.directory).toBe('/etc/komodo/stacks/uptime')
    const again = await world[from]('--yes')
    const here =
      /^uptime +Cellar +left out: it is a stack already, in \/etc\/komodo\/stacks\/uptime/m
    expect(again.out).toMatch(here)
    expect(world.containers()).toEqual(before)
  },
)

test('1: reads the server with requests that change nothing, and prints no secrets', async () => {
  await using world = await withKomodo()
  const { out, err } = await world.fromServer('--dry-run')
  expect(world.komodo.asked.every((line) => line.startsWith('POST /read/'))).toBe(true)
  expect(out + err).not.toContain('komodo-db-4711')
})

test('1: a server that is not there, a wrong secret, a file that is none', async () => {
  await using world = await withKomodo()
  const other = await world.run(world.server, '--token-file key.txt')
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('Komodo') })
  await writeFile(join(world.home, 'wrong.txt'), `${world.komodo.admin.key}\nwrong\n`)
  const wrong = await world.run(world.komodo.url, '--token-file wrong.txt')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('refuses the API key') })
  const none = await world.run('gone.toml', '')
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') })
  await writeFile(join(world.home, 'bad.toml'), '[[stack]\n')
  const bad = await world.run('bad.toml', '')
  expect(bad).toMatchObject({ code: 1, err: expect.stringContaining('bad.toml:') })
  expect(await world.names()).toEqual([])
})

test('2: asks for a key and its secret, and before it imports; invalid values', async () => {
  await using world = await withKomodo()
  const { url } = world.komodo
  const none = await world.run(url, '')
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('no API key') })
  const asked = await world.fromFile('')
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('from Komodo?') })
  await writeFile(join(world.home, 'half.txt'), 'key\n')
  const half = await world.run(url, '--token-file half.txt')
  expect(half).toMatchObject({ code: 2, err: expect.stringContaining('one line each') })
  expect((await world.fromFile('--map nas')).code).toBe(2)
  expect((await world.fromFile('--host local')).code).toBe(2)
  expect((await world.fromFile('--skip-tls-check')).code).toBe(2)
  expect(await world.names()).toEqual([])
})
