import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/memory/engine.ts'
import { agentHost } from '../../../adapters/memory/hosts.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const name = 'registry.example.org:5000/team/app:1'

async function withRegistry() {
  const world = await clientWorld()
  world.engine.state.registry.add(name)
  await world.login()
  return world
}

test('0: an image is pulled, and removed by its name', async () => {
  await using world = await withRegistry()
  const pulled = await world.cli(`images pull ${name}`)
  expect([pulled.code, pulled.out, pulled.err]).toEqual([
    0,
    expect.stringMatching(
      /^registry\.example\.org:5000\/team\/app:1 is pulled: [0-9a-f]{12}, 1\.0 kB\n$/,
    ),
    '',
  ])
  expect((await world.cli('images list')).out).toContain(name)
  const json = await world.cli(`image pull ${name} --output json`)
  expect(JSON.parse(json.out)).toMatchObject({ tags: [name], host_id: 'local' })
  expect(await world.cli(`images remove ${name}`)).toMatchObject({
    code: 0,
    out: `${name} is removed\n`,
  })
  expect((await world.cli('images list')).out).not.toContain(name)
})

test('0: on another host; 2: on all', async () => {
  await using world = await withRegistry()
  const far = memoryEngine({ registry: [name] })
  world.ports.engines.byHost.set('nas', far)
  await world.ports.hosts.create(agentHost('nas'))
  expect((await world.cli(`images pull ${name} --host nas`)).code).toBe(0)
  expect((await far.images()).flatMap(({ tags }) => tags)).toContain(name)
  expect((await world.cli(`images rm ${name} --host nas`)).code).toBe(0)
  expect((await world.cli('images prune --yes --host nas')).code).toBe(0)
  for (const words of [`images pull ${name}`, `images rm ${name}`, 'images prune --yes']) {
    expect((await world.cli(`${words} --host all`)).code, words).toBe(2)
  }
})

test('1: what the service refuses is said', async () => {
  await using world = await withRegistry()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const used = await world.cli('images delete busybox --force=false')
  expect(used.code).toBe(2)
  const busy = await world.cli('images delete busybox')
  expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('in use')])
  expect((await world.cli('images pull none:1')).err).toContain('Pulling none:1 failed')
  expect((await world.cli('images delete none:1')).code).toBe(1)
  expect((await world.cli(['images', 'delete', '../../containers/x'])).code).toBe(1)
})

test('0: a prune asks first; 2: with no one to ask', async () => {
  await using world = await withRegistry()
  world.engine.state.unnamed.add('sha256:old')
  expect((await world.cli('images prune')).code).toBe(2)
  expect(world.engine.state.unnamed.size).toBe(1)
  const pruned = await world.cli('images prune --yes')
  expect([pruned.code, pruned.out, pruned.err]).toEqual([
    0,
    'sha256:old\n',
    'images and layers removed: 1; space reclaimed: 1.0 kB\n',
  ])
  const json = await world.cli('images prune --yes --output json')
  expect(json.out).toBe('{"deleted":[],"reclaimed_bytes":0}')
})

test('0: a container is removed; 1: one that runs, unless forced', async () => {
  await using world = await withRegistry()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const refused = await world.cli('containers delete shop-web-1')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('running')])
  expect(await world.cli('container rm shop-web-1 --force')).toMatchObject({
    code: 0,
    out: 'shop-web-1 is removed\n',
  })
  expect((await world.cli('containers delete shop-web-1')).code).toBe(1)
  expect((await world.cli('containers delete a --host all')).code).toBe(2)
})
