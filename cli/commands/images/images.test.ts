import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { agentHost } from '../../../adapters/testing/memory/hosts.ts'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const name = 'registry.example.org:5000/team/app:1'

async function withRegistry() {
  const world = await clientWorld()
  world.engine.state.registry.add(name)
  await world.login()
  return world
}

test('0: pulls an image and removes it by name', async () => {
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
  expect(await world.cli(`images remove ${name} --yes`)).toMatchObject({
    code: 0,
    out: `${name} is removed\n`,
  })
  expect((await world.cli('images list')).out).not.toContain(name)
})

test('0: shows the layers on a terminal, without a trace of them at the end', async () => {
  await using world = await withRegistry()
  const { pullImage } = world.engine
  world.engine.pullImage = (reference, signal, { report = () => {} } = {}) => {
    for (let at = 0; at < 40; at += 1) {
      const id = `44684468${String(at).padStart(4, '0')}`
      report({ id, state: 'downloading', current: 1_000, total: 2_000 })
    }
    report({ id: '446844680000', state: 'exists', current: null, total: null })
    return pullImage(reference, signal)
  }
  const { code, out, err } = await world.cli(`images pull ${name}`, { columns: 80 })
  expect([code, out]).toEqual([0, expect.stringContaining('app:1 is pulled: ')])
  expect(err).toContain(`pulling ${name}\n`)
  expect(err).toContain('446844680001  downloading 1.0 kB of 2.0 kB')
  expect(err).toContain('1 of 40 layers done')
  expect(err.endsWith('\u001b[J')).toBe(true)
})

test('1 and 4: the error of a pull on a terminal is the same as elsewhere', async () => {
  await using world = await withRegistry()
  for (const [image, wanted, words] of [
    ['none:1', 1, 'Pulling none:1 failed: there is no such image in the registry'],
    ['a//b', 1, 'must be the name of an image'],
  ] as const) {
    for (const options of [{}, { columns: 80 }]) {
      const { code, err } = await world.cli(['images', 'pull', image], options)
      expect([image, code, err]).toEqual([image, wanted, expect.stringContaining(words)])
    }
  }
})

test('1: a pull that the service ends without a word is not a success', async () => {
  await using world = await withRegistry()
  world.engine.pullImage = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
  const pulling = world.cli(`images pull ${name}`, { columns: 80 })
  const { ports } = world
  await expect
    .poll(async () => (await ports.audit.list({ action: 'ws.images.pull', limit: 1 })).rows)
    .toHaveLength(1)
  const account = present((await ports.accounts.list())[0])
  await ports.sessions.removeByAccount(account.id)
  const { code, err } = await pulling
  expect([code, err]).toEqual([4, expect.stringContaining('revoked')])
})

test('0: works on another host; 2: on all hosts', async () => {
  await using world = await withRegistry()
  const far = memoryEngine({ registry: [name] })
  world.ports.engines.byHost.set('nas', far)
  await world.ports.hosts.create(agentHost('nas'))
  expect((await world.cli(`images pull ${name} --host nas`)).code).toBe(0)
  expect((await far.images()).flatMap(({ tags }) => tags)).toContain(name)
  expect((await world.cli(`images rm ${name} --host nas --yes`)).code).toBe(0)
  expect((await world.cli('images prune --yes --host nas')).code).toBe(0)
  for (const words of [`images pull ${name}`, `images rm ${name} --yes`, 'images prune --yes']) {
    expect((await world.cli(`${words} --host all`)).code, words).toBe(2)
  }
})

test('1: shows the error of the service', async () => {
  await using world = await withRegistry()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const used = await world.cli('images delete busybox --force=false --yes')
  expect(used.code).toBe(2)
  const busy = await world.cli('images delete busybox --yes')
  expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('in use')])
  expect((await world.cli('images pull none:1')).err).toContain('Pulling none:1 failed')
  expect((await world.cli('images delete none:1 --yes')).code).toBe(1)
  expect((await world.cli(['images', 'delete', '../../containers/x', '--yes'])).code).toBe(1)
})

test('0: a prune asks first; 2: without a terminal to ask on', async () => {
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
  const operations = (await world.cli('operations list --output json')).out
  expect(JSON.parse(operations)).toMatchObject([{ kind: 'image_prune', status: 'succeeded' }])
  const json = await world.cli('images prune --yes --output json')
  expect(json.out).toBe('{"deleted":[],"reclaimed_bytes":0,"images":[],"kept":[]}\n')
})

test('0: a dry run of a prune lists what would go and what stays, and does not ask', async () => {
  await using world = await withRegistry()
  world.engine.state.unnamed.add('sha256:0a')
  world.engine.state.unnamed.add('sha256:0b')
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const [last] = await world.ports.deployments.listByStack('shop', 1)
  await world.ports.deployments.save({ ...present(last), images: { web: 'sha256:0b' } })
  const planned = await world.cli('images prune --dry-run')
  expect([planned.code, planned.err]).toEqual([0, 'images to remove: 1, at most 1.0 kB\n'])
  expect(planned.out).toMatch(/ 0a .* remove\n.* 0b .* keep for a rollback of shop\n$/s)
  const json = JSON.parse((await world.cli('images prune --all --dry-run --output json')).out)
  expect([json.images.length, json.kept.length]).toEqual([1, 1])
  expect(world.engine.state.unnamed.size).toBe(2)
  expect((await world.cli('images prune --dry-run --detach')).code).toBe(2)
})

test('0: removes a container; 1: a running one, unless forced', async () => {
  await using world = await withRegistry()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const refused = await world.cli('containers delete shop-web-1 --yes')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('running')])
  expect(await world.cli('container rm shop-web-1 --force --yes')).toMatchObject({
    code: 0,
    out: 'shop-web-1 is removed\n',
  })
  expect((await world.cli('containers delete shop-web-1 --yes')).code).toBe(1)
  expect((await world.cli('containers delete a --host all')).code).toBe(2)
})
