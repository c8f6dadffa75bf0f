import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { label } from '../../../functions/compose/create/labels.ts'
import { changeContainer } from '../../../local/harness/bundle.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'
import { startPortainer } from '../../../local/harness/peers/portainer.ts'

const compose = `services:
  kuma:
    image: busybox:latest
    command: sleep 60
    volumes: ["kuma:/app/data"]
volumes:
  kuma: {}
`

/** Sets up the fake Portainer, and its stack `uptime`, which runs on the local host. */
async function withPortainer() {
  const server = await startPortainer()
  onTestFinished(() => server.close())
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'uptime', compose)
  await world.ports.stacks.remove('uptime')
  changeContainer(world, 'uptime-kuma-1', {
    Labels: {
      [label.workingDir]: '/data/compose/1',
      [label.configFiles]: '/data/compose/1/docker-compose.yml',
    },
  })
  await writeFile(join(world.home, 'key.txt'), `${server.admin.apiKey}\n`)
  const run = (words: string) =>
    world.cli(`import portainer ${server.url} --token-file key.txt ${words}`.trim())
  const containers = () =>
    [...world.engine.state.containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)
  const names = async () => (await world.cli('stacks list -q')).out.split('\n').filter(Boolean)
  return Object.assign(world, { portainer: server, run, containers, names })
}

test('1: --dry-run shows what happens, what is left out and why, and sends nothing', async () => {
  await using world = await withPortainer()
  const { code, out, err } = await world.run('--dry-run')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^uptime +Cellar +would be adopted: .* ResourceControl \(give access by roles\)$/m,
  )
  expect(out).toMatch(/^grafana +Cellar +would be created: it is not deployed +-$/m)
  expect(out).toMatch(/^agents +swarm-lab +left out: it is on a Docker Swarm/m)
  expect(out).toMatch(/^sealed +Cellar +failed: Portainer shows one of its files/m)
  expect(err).toContain('the way back: cli stacks forget <name>')
  expect(err).toContain('cli users create bob --role viewer')
  expect(await world.names()).toEqual([])
  expect(world.portainer.asked.every((line) => line.startsWith('GET '))).toBe(true)
  expect(out + err).not.toContain('p$4ss')
})

test('1: adopts what runs and creates the rest, though some stacks cannot be imported', async () => {
  await using world = await withPortainer()
  const before = world.containers()
  const { code, out } = await world.run('--yes')
  expect(code).toBe(1)
  expect(out).toMatch(/^uptime +Cellar +adopted: none of its containers was restarted/m)
  expect(out).toMatch(/^grafana +Cellar +created: not deployed/m)
  expect(world.containers()).toEqual(before)
  expect(await world.names()).toEqual(expect.arrayContaining(['grafana', 'uptime']))
  const again = await world.run('--yes')
  expect(again.out).toMatch(
    /^uptime +Cellar +left out: it is a stack already, in \/data\/compose\/1/m,
  )
  expect(world.containers()).toEqual(before)
})

test('1: a server that is not there; an address that is none', async () => {
  await using world = await withPortainer()
  const other = await world.cli(`import portainer ${world.server} --token-file key.txt`)
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('as Portainer does') })
  for (const address of ['portainer.example.org', 'http://[x', 'https://a:99999']) {
    const none = await world.cli(`import portainer ${address} --token-file key.txt`)
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('is not an address') })
  }
})

test('1: warns before it sends the API key where others can read it', async () => {
  await using world = await withPortainer()
  const away = await world.cli('import portainer http://portainer.invalid --token-file key.txt')
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('the API key unencrypted') })
})

test('2: asks for an API key and before it imports; invalid values', async () => {
  await using world = await withPortainer()
  const { url } = world.portainer
  const none = await world.cli(`import portainer ${url}`)
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('no API key') })
  const asked = await world.run('')
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('from Portainer?') })
  expect((await world.run('--map nas')).code).toBe(2)
  expect((await world.run('--host local')).code).toBe(2)
  expect(await world.names()).toEqual([])
})
