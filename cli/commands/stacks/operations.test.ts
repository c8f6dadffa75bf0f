import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { conflict } from '../../../functions/core/errors.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const sleeps = 'command: [sleep, "9"]'
const compose = (more = '') => `services:
  db: {image: "nginx:1", ${sleeps}, volumes: ["data:/data"]}
  web: {image: "nginx:1", ${sleeps}, depends_on: [db]}
  app: {build: {context: ., dockerfile_inline: "FROM nginx:1"}, ${sleeps}}
  debug: {image: "nginx:1", ${sleeps}, profiles: [tools]}
${more}volumes: {data: {}}
`

async function withShop({ deployed = true } = {}) {
  const world = await clientWorld()
  for (const name of ['nginx:1', 'nginx:2', 'busybox:latest']) world.engine.state.registry.add(name)
  world.engine.state.images.set('nginx:1', 'sha256:1')
  await world.login()
  await world.cli('stacks create shop --file -', { stdin: compose() })
  if (deployed) {
    const { code, err } = await world.cli('stacks deploy shop')
    expect([code, err]).toEqual([0, expect.stringMatching(/^\w+ed +\w+ |^built |^written /m)])
  }
  return world
}

type World = Awaited<ReturnType<typeof withShop>>

const names = ({ engine }: World) =>
  [...engine.state.containers.values()].map(({ name }) => name.replace('shop-', '')).sort()
const imagesOf = (world: World, action: string) =>
  world.engine.executed.flatMap((step) =>
    step.kind === 'image' && step.action === action ? step.name : [],
  )

test('0: deploy of named services, with those that they depend on and without', async () => {
  await using world = await withShop({ deployed: false })
  const alone = await world.cli('stacks deploy shop web --no-deps')
  expect([alone.code, alone.out]).toEqual([0, expect.stringMatching(/^web of shop is deployed: /)])
  expect(names(world)).toEqual(['web-1'])
  await world.cli('stacks deploy shop web')
  expect(names(world)).toEqual(['db-1', 'web-1'])
  expect((await world.cli('stacks deploy shop --no-deps')).code).toBe(2)
  const unknown = await world.cli('stacks deploy shop nope')
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining('it has no service nope, it has app, db, debug, web'),
  ])
})

test('0: deploy and plan with profiles, which "" turns off', async () => {
  await using world = await withShop({ deployed: false })
  expect((await world.cli('stacks plan shop --profile tools')).out).toContain('shop-debug-1')
  expect((await world.cli('stacks deploy shop --profile tools')).code).toBe(0)
  expect(names(world)).toContain('debug-1')
  expect((await world.cli('stacks plan shop')).out).toContain('nothing')
  const off = await world.cli(['stacks', 'deploy', 'shop', '--profile', ''])
  expect(off.code).toBe(0)
  const { out } = await world.cli('stacks status shop --output json')
  const rows: { service: string; service_state: string }[] = JSON.parse(out)
  expect(rows.find(({ service }) => service === 'debug')?.service_state).toBe('inactive')
  expect((await world.cli('stacks deploy shop --profile none')).err).toContain('"none"')
})

test('0: deploy with a timeout for containers that are replaced', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop web --force-recreate --timeout 7')
  const stops = world.engine.executed.filter(({ action }) => action === 'stop')
  expect(stops).toMatchObject([{ timeoutSeconds: 7 }])
})

test('0: scale of services, until the next deploy; it warns', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli('stacks scale shop web=3 db=0')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^web of shop is scaled: .*\ndb of shop is/),
  ])
  expect(err).toMatch(/^created +container shop-web-2 /m)
  expect(names(world)).toEqual(['app-1', 'web-1', 'web-2', 'web-3'])
  expect((await world.cli('stacks status shop')).out).toContain('scaled to 3, compose file says 1')
  expect((await world.cli('stacks plan shop')).out).toContain('was scaled to 3')
  expect((await world.cli('stacks deploy shop')).err).toContain('was scaled to 3')
  expect(names(world)).toEqual(['app-1', 'db-1', 'web-1'])
})

test('0: deploy and rollback with the names of references to accept; 1: without them', async () => {
  await using world = await withShop()
  const { engine, ports } = world
  for (const name of ['films', 'music']) engine.state.volumes.set(name, { name, labels: {} })
  const mounts = '"data:/data", "films:/films", "music:/music"'
  const more = '  films: {external: true, name: films}\n  music: {external: true, name: music}\n'
  const stdin = compose()
    .replace('"data:/data"', mounts)
    .replace('volumes: {data: {}}\n', `volumes:\n  data: {}\n${more}`)
  await world.cli('stacks update shop --file -', { stdin })
  const stack = present(await ports.stacks.find('shop'))
  const savedBy = [{ id: 'gone', name: 'olga' }]
  await ports.stacks.replace({ ...stack, files: { ...stack.files, savedBy } })
  const planned = await world.cli('stacks plan shop')
  expect(planned.out).toMatch(/^warning +reference +volume:films .*saved by olga/m)
  const refused = await world.cli('stacks deploy shop --accept-references volume:films')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('"volume:music"')])
  expect(refused.err).toContain('--accept-references')
  const flag = '--accept-references volume:films,volume:music'
  expect((await world.cli(`stacks deploy shop ${flag}`)).code).toBe(0)
  await world.cli('stacks update shop --file -', { stdin: compose() })
  expect((await world.cli('stacks deploy shop')).code).toBe(0)
  expect((await world.cli('stacks rollback shop previous')).code).toBe(1)
  expect((await world.cli(`stacks rollback shop previous ${flag}`)).code).toBe(0)
})

test('a changed container is one line; --verbose shows each step of it', async () => {
  await using world = await withShop()
  const file = join(world.home, 'compose.yaml')
  await writeFile(file, compose().replaceAll('"9"', '"8"'))
  await world.cli(['stacks', 'update', 'shop', '--file', file])
  const about = (text: string) => text.split('\n').filter((line) => line.includes('shop-web-1'))
  expect(about((await world.cli('stacks plan shop')).out)).toHaveLength(1)
  const plan = about((await world.cli('stacks plan shop --verbose')).out)
  const actions = ['recreate', 'stop', 'remove', 'rename', 'start']
  expect(plan.map((line) => line.split(' ')[0]).toSorted()).toEqual(actions.toSorted())
  const { err, code } = await world.cli('stacks deploy shop --verbose')
  const done = about(err).map((line) => line.split(' ')[0])
  expect([code, done.toSorted()]).toEqual([
    0,
    ['recreated', 'removed', 'renamed', 'started', 'stopped'],
  ])
  const again = await world.cli('stacks deploy shop --force-recreate')
  expect(about(again.err)).toHaveLength(1)
  const back = await world.cli('stacks rollback shop previous --verbose')
  expect(about(back.err)).toHaveLength(actions.length)
})

test('0: deploy --scale, until the next deploy', async () => {
  await using world = await withShop({ deployed: false })
  expect((await world.cli('stacks plan shop --scale web=2')).out).toContain('shop-web-2')
  const { code, out } = await world.cli('stacks deploy shop --scale web=3 --scale db=0')
  expect([code, out]).toEqual([0, expect.stringMatching(/^shop is deployed: .*\n$/)])
  expect(names(world)).toEqual(['app-1', 'web-1', 'web-2', 'web-3'])
  await world.cli('stacks deploy shop')
  expect(names(world)).toEqual(['app-1', 'db-1', 'web-1'])
})

test.each([
  ['--scale web', 2, 'must be <service>=<number>'],
  ['--scale web=1001', 2, 'at most 1000'],
  ['--scale wbe=2', 1, 'it has no service wbe'],
  ['db --scale web=2', 1, 'does not name web'],
])('deploy %s exits with %i and deploys nothing', async (flags, code, text) => {
  await using world = await withShop({ deployed: false })
  const ended = await world.cli(`stacks deploy shop ${flags}`)
  expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(text)])
  expect(names(world)).toEqual([])
})

test.each(['web', 'web=', 'web=x', 'web=-1', '=3', 'web=10000'])(
  '2: scale %s is no service with a number',
  async (word) => {
    await using world = await withShop({ deployed: false })
    const { code, err } = await world.cli(['stacks', 'scale', 'shop', word])
    expect([code, err]).toEqual([2, expect.stringContaining('must be <service>=<number>')])
  },
)

test('0: pull without names pulls what is not built, also for services that are new', async () => {
  await using world = await withShop()
  const fresh = '  fresh: {image: "busybox:latest"}\n'
  const file = join(world.home, 'compose.yaml')
  await writeFile(file, compose(fresh).replaceAll('nginx:1"', 'nginx:2"'))
  await world.cli(['stacks', 'update', 'shop', '--file', file])
  await world.cli('stacks pull shop db web')
  expect(imagesOf(world, 'pull').slice(-2)).toEqual(['nginx:2', 'nginx:2'])
  const { err } = await world.cli('stacks pull shop')
  expect(err).not.toContain('its image is built')
  expect(imagesOf(world, 'pull')).toContain('busybox:latest')
  const built = await world.cli('stacks pull shop app')
  expect([built.code, built.err]).toEqual([0, expect.stringContaining('its image is built')])
})

test('0: build without names builds each service with a build, without the cache on request', async () => {
  await using world = await withShop()
  const { code, out } = await world.cli('stacks build shop')
  expect([code, out]).toEqual([0, expect.stringMatching(/^app of shop is built: 1 change in /)])
  expect(out.split('\n')).toHaveLength(2)
  await world.cli('stacks build shop app --no-cache')
  const builds = world.engine.executed.filter(({ action }) => action === 'build')
  expect(builds.at(-1)).toMatchObject({ name: 'shop-app', build: { options: { nocache: true } } })
  expect(names(world)).toContain('app-1')
})

test('0: build and pull say if there is nothing to do', async () => {
  await using world = await clientWorld()
  await world.login()
  const only = (what: string) => `services: {one: {${what}}}\n`
  await world.cli('stacks create a --file -', { stdin: only('image: "nginx:1"') })
  await world.cli('stacks create b --file -', {
    stdin: only('build: {dockerfile_inline: "FROM a"}'),
  })
  expect(await world.cli('stacks build a')).toMatchObject({
    code: 0,
    out: 'there is nothing to build\n',
  })
  expect(await world.cli('stacks pull b')).toMatchObject({
    code: 0,
    out: 'there is nothing to pull\n',
  })
})

test('0: restart of services shows their steps', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli('stacks restart shop web --timeout 4')
  expect([code, out]).toEqual([0, expect.stringMatching(/^web of shop is restarted: 1 change in /)])
  expect(err).toMatch(/^restarted +container shop-web-1 /m)
  const both = await world.cli('stacks restart shop web db')
  expect(both.out).toMatch(/^web of shop is restarted: .*\ndb of shop is restarted: /)
  expect(both.err).toMatch(/^restarted +container shop-db-1 /m)
  expect((await world.cli('stacks restart shop')).out).toMatch(/^shop is restarted: 3 changes in /)
})

test('1: restart of a stack without containers says so', async () => {
  await using world = await withShop({ deployed: false })
  const hint = 'cli: nothing was restarted: shop has no containers\n  run: cli stacks deploy shop\n'
  const never = await world.cli('stacks restart shop')
  expect(never).toMatchObject({ code: 1, out: 'shop: nothing to do\n' })
  expect(never.err).toContain(hint)
  const one = await world.cli('stacks restart shop web')
  expect(one).toMatchObject({ code: 1, err: expect.stringContaining('web of shop has no cont') })
  await world.cli('stacks deploy shop')
  await world.cli('stacks stop shop')
  const stopped = await world.cli('stacks restart shop')
  expect([stopped.code, stopped.err]).toEqual([1, expect.stringContaining(hint)])
})

test('0: down keeps volumes, images and the stack', async () => {
  await using world = await withShop()
  const { code, out } = await world.cli('stacks down shop --timeout 2')
  expect([code, out]).toEqual([0, expect.stringMatching(/^shop is down: /)])
  expect([names(world), imagesOf(world, 'remove')]).toEqual([[], []])
  expect([...world.engine.state.volumes.keys()]).toEqual(['shop_data'])
  expect((await world.cli('stacks list')).out).toContain('not_deployed')
  expect((await world.cli('stacks deploy shop')).code).toBe(0)
})

test('0: down with images removes those that it built, or all', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks down shop --rmi local --yes')).code).toBe(0)
  expect(imagesOf(world, 'remove')).toEqual(['shop-app'])
  await world.cli('stacks deploy shop')
  await world.cli('stacks down shop --images all --yes')
  expect(imagesOf(world, 'remove').slice(1).sort()).toEqual(['nginx:1', 'shop-app'])
  expect((await world.cli('stacks down shop --rmi some')).code).toBe(2)
})

test.each([
  ['--volumes', 'remove the data in its volumes (0 B)?'],
  ['--rmi local', 'remove the images it built?'],
  ['--volumes --rmi all', 'remove the data in its volumes (0 B) and all images?'],
])('down %s asks first; without a terminal it needs --yes', async (flags, question) => {
  await using world = await withShop()
  const refused = await world.cli(`stacks down shop ${flags}`)
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('standard input is not a terminal: use --yes to confirm\n'),
  })
  const no = await world.cli(`stacks down shop ${flags}`, { keys: 'n' })
  expect([no.code, no.err]).toEqual([1, expect.stringContaining(question)])
  expect(names(world)).toHaveLength(3)
  expect((await world.cli(`stacks down shop ${flags}`, { keys: 'y' })).code).toBe(0)
  expect(names(world)).toEqual([])
})

test('0: down --volumes --yes removes volumes without a terminal; plain down does not ask', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks down shop', { keys: '' })).code).toBe(0)
  await world.cli('stacks deploy shop')
  expect((await world.cli('stacks down shop --volumes --yes')).code).toBe(0)
  expect([...world.engine.state.volumes.keys()]).toEqual([])
})

test('0: plan says the revision, and deploy --revision deploys no other', async () => {
  await using world = await withShop()
  const update = (more: string) =>
    world.cli('stacks update shop --file -', {
      stdin: compose(`  more: {image: "nginx:1"${more}}\n`),
    })
  await update('')
  const planned = await world.cli('stacks plan shop')
  expect([planned.code, planned.err]).toEqual([0, expect.stringMatching(/^revision 2$/m)])
  await update(', init: true')
  for (const verb of ['plan', 'deploy']) {
    const { code, err } = await world.cli(`stacks ${verb} shop --revision 2`)
    expect([code, err]).toEqual([1, expect.stringContaining('the current revision is 3')])
  }
  expect((await world.cli('stacks deploy shop --revision 3')).code).toBe(0)
  expect((await world.cli('stacks deploy shop --revision x')).code).toBe(2)
})

test.each(['deploy', 'restart', 'stop', 'down'])(
  '0: %s --detach says how to follow what has started',
  async (verb) => {
    await using world = await withShop()
    const { code, out } = await world.cli(`stacks ${verb} shop --detach`)
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^started: cli stacks deployments watch shop \S+\n$/),
    ])
    const follow = out.replace('started: cli ', '').trim()
    expect((await world.cli(follow)).code).toBe(0)
    const asked = await world.cli(`stacks ${verb} shop -d --output json`)
    expect(JSON.parse(asked.out)).toMatchObject({ kind: verb, stack: 'shop' })
  },
)

test('0: --detach of a service; 2: of several, which follow one after the other', async () => {
  await using world = await withShop()
  for (const verb of [
    'pause web',
    'unpause web',
    'stop web',
    'start web',
    'pull web',
    'scale web=2',
  ]) {
    const { code, out } = await world.cli(`stacks ${verb.replace(' ', ' shop ')} -d`)
    expect([verb, code, out]).toEqual([
      verb,
      0,
      expect.stringMatching(/^started: cli stacks deployments watch shop \S+\n$/),
    ])
    const follow = out.replace('started: cli ', '').trim()
    expect([verb, (await world.cli(follow)).code]).toEqual([verb, 0])
  }
  for (const words of ['pull shop', 'scale shop web=1 db=1', 'restart shop web db']) {
    const { code, err } = await world.cli(`stacks ${words} --detach`)
    expect([code, err]).toEqual([2, expect.stringContaining('--detach: needs exactly one service')])
  }
})

test('0: delete --detach, and follow it until the stack is gone', async () => {
  await using world = await withShop()
  const steps: (() => void)[] = []
  const { execute } = world.engine
  world.engine.execute = async (...given) => {
    await new Promise<void>((resolve) => steps.push(resolve))
    return execute(...given)
  }
  const { code, out } = await world.cli('stacks delete shop --yes -d')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^started: cli stacks deployments watch shop \S+\n$/),
  ])
  await expect.poll(() => steps.length).toBeGreaterThan(0)
  const onNote = () => {
    world.engine.execute = execute
    for (const step of steps) step()
  }
  const follow = `${out.replace('started: cli ', '').trim()} --progress json`
  const watch = await world.cli(follow, { onNote })
  expect(watch).toMatchObject({ code: 0, out: 'shop is deleted\n' })
  expect((await world.cli('stacks list -q')).out).toBe('')
})

test('0: delete gives its warnings to programs too', async () => {
  await using world = await withShop()
  const volume = { name: 'films', labels: { 'com.docker.compose.project': 'shop' } }
  world.engine.state.volumes.set('films', volume)
  const { code, err, out } = await world.cli('stacks delete shop --volumes --yes --output json')
  expect([code, err]).toEqual([0, expect.stringContaining('volume films stays')])
  expect(JSON.parse(out).warnings).toEqual([expect.stringContaining('volume films stays')])
})

test('1: delete says why it failed, and the stack stays', async () => {
  await using world = await withShop()
  world.engine.failing = ({ action }) => (action === 'remove' ? conflict('it is busy') : undefined)
  const { code, err } = await world.cli('stacks delete shop --yes')
  expect([code, err]).toEqual([1, expect.stringContaining('it is busy')])
  expect((await world.cli('stacks list -q')).out).toBe('shop\n')
})

test('0: delete by a role that may delete stacks but not read them', async () => {
  await using world = await withShop()
  await world.cli('roles create remover stacks:delete')
  await world.cli('users create rem --role remover', { stdin: 'correct horse battery' })
  await world.cli('login --user rem', { stdin: 'correct horse battery' })
  expect(await world.cli('stacks get shop')).toMatchObject({ code: 4 })
  expect(await world.cli('stacks delete shop --yes')).toMatchObject({
    code: 0,
    out: 'shop is deleted\n',
  })
  expect(await world.ports.stacks.find('shop')).toBeUndefined()
})

test('0: stop of the whole stack takes a timeout', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks stop shop --timeout 3')).code).toBe(0)
  const stops = world.engine.executed.filter(({ action }) => action === 'stop')
  expect(stops.length).toBeGreaterThan(0)
  expect(new Set(stops.map((step) => 'timeoutSeconds' in step && step.timeoutSeconds))).toEqual(
    new Set([3]),
  )
})
