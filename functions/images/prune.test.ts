import { expect, test } from 'vitest'
import { deployment } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, type World, world } from '../../local/harness/world.ts'
import type { Deployment } from '../core/records/deployment.ts'
import type { PrunedImages } from '../core/records/host-engine.ts'
import deploy from '../stacks/deploy.ts'
import rollback from '../stacks/rollback.ts'
import update from '../stacks/update.ts'
import list from './list.ts'
import prune from './prune.ts'

test('200: returns the deleted images and the reclaimed space, and updates the list at once', async () => {
  const { ports, engine } = world()
  engine.state.unnamed.add('sha256:old')
  const ids = async () =>
    (await call(list, { ports, as: 'operator' })).json.map((one: Json) => one.id)
  expect(await ids()).toContain('sha256:old')
  const pruned = await call(prune, { ports, as: 'operator' })
  expect(pruned.json).toMatchObject({ deleted: ['sha256:old'], reclaimed_bytes: 1024, kept: [] })
  expect(pruned.json.images).toMatchObject([{ id: 'sha256:old', tags: [], size: 1024 }])
  expect(await ids()).not.toContain('sha256:old')
  const again = await call(prune, { ports, as: 'operator' })
  expect(again.json).toEqual({ deleted: [], reclaimed_bytes: 0, images: [], kept: [] })
})

/** Deploys the stack `shop` on images whose tag moves each time. Returns the image of each. */
async function deployedOften(here: World, times: number) {
  const { images, unnamed } = here.engine.state
  const compose = 'services: {web: {image: "nginx:1", command: sleep 60}}'
  await givenStack(here, 'shop', { compose, deployed: false })
  const ids = Array.from({ length: times }, (_, at) => `sha256:${at}`)
  for (const [at, id] of ids.entries()) {
    images.set('nginx:1', id)
    // The second one is known by its digest, which a registry gave it.
    const digest = `nginx@sha256:d${at}`
    if (at === 1) images.set(digest, id)
    if (at > 0) unnamed.add(ids[at - 1] ?? '')
    const { json } = await call(deploy, { ...shop(here), body: { on_drift: 'import' } })
    expect(json).toMatchObject({ status: 'succeeded', images: { web: at === 1 ? digest : id } })
  }
  return ids
}

const shop = ({ ports }: World) => ({ ports, as: 'admin', path: { name: 'shop' } }) as const

test('the images of the last three deployments of a stack stay, and a rollback finds them', async () => {
  const here = world()
  const { ports, engine } = here
  const ids = await deployedOften(here, 4)
  const pruned = await call(prune, { ports, as: 'operator' })
  expect(pruned.json.deleted).toEqual([ids[0]])
  const named = { stack: 'shop', reason: 'deployment' }
  expect(pruned.json.kept).toMatchObject([
    { id: ids[1], digests: ['nginx@sha256:d1'], ...named },
    { id: ids[2], digests: [], ...named },
  ])
  const [, , second] = (await ports.deployments.listByStack('shop', 9)).map(({ id }) => id)
  const body = { deployment_id: second }
  expect((await call(rollback, { ...shop(here), body })).json).toMatchObject({
    status: 'succeeded',
    images: { web: 'nginx@sha256:d1' },
  })
  expect(engine.state.registry.has('nginx@sha256:d1')).toBe(false)
})

test('deploys that change nothing do not use up the three', async () => {
  const here = world()
  const ids = await deployedOften(here, 3)
  for (let time = 0; time < 4; time += 1) {
    const { json } = await call(deploy, { ...shop(here), body: {} })
    expect(json).toMatchObject({ status: 'succeeded', steps: [] })
  }
  const { json } = await call(prune, { ports: here.ports, as: 'operator' })
  expect(json.kept.map((one: Json) => one.id)).toEqual(ids.slice(0, 2))
})

test('failed deployments and other operations do not use up the three', async () => {
  const here = world()
  const { ports } = here
  const ids = await deployedOften(here, 3)
  for (let time = 0; time < 4; time += 1) {
    const id = `9${time}`
    const status = time % 2 ? 'failed' : 'succeeded'
    const kind = time % 2 ? 'deploy' : 'restart'
    await ports.deployments.create({ ...deployment(id, 'shop'), status, kind })
  }
  const { json } = await call(prune, { ports, as: 'operator' })
  expect(json.deleted).toEqual([])
  expect(json.kept.map((one: Json) => one.id)).toEqual(ids.slice(0, 2))
})

test('images of a running deployment and those before a held-back image stay', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  for (const id of ['named', 'pinned', 'before', 'other']) engine.state.unnamed.add(`sha256:${id}`)
  const stored = present(await ports.stacks.find('shop'))
  const heldBack = [
    {
      name: 'docker.io/library/nginx:1',
      digest: 'sha256:bad',
      service: 'web',
      reason: 'it was unhealthy',
      log: [],
      before: 'sha256:before',
      deploymentId: '00',
      at: 1,
    },
  ]
  await ports.stacks.replace({ ...stored, heldBack })
  const running = deployment('01', 'shop')
  const options = {
    ...running.options,
    retag: { 'nginx:1': 'nginx@sha256:named' },
    images: { web: 'sha256:pinned' },
  }
  await ports.deployments.create({ ...running, options })
  const { json } = await call(prune, { ports, as: 'operator' })
  expect(json.deleted).toEqual(['sha256:other'])
  expect(json.kept.map(({ id, reason }: Json) => [id, reason])).toEqual([
    ['sha256:before', 'held_back'],
    ['sha256:named', 'deployment'],
    ['sha256:pinned', 'deployment'],
  ])
})

test('what ran before an update stays, also if the update failed', async () => {
  const here = world()
  const { ports, engine } = here
  const old = ['sha256:0a', 'sha256:0b', 'sha256:0c']
  for (const id of old) engine.state.unnamed.add(id)
  const image = { service: 'web', reference: 'nginx:1', name: 'docker.io/library/nginx:1' }
  const updateOf = (before: string) => ({ images: [{ ...image, digest: 'sha256:1', before }] })
  const given = async (stack: string, before: string, status: 'failed' | 'succeeded') => {
    await givenStack(here, stack, { deployed: false })
    const made = { ...deployment(`0${stack}`, stack), status }
    const options = { ...made.options, update: updateOf(before) }
    await ports.deployments.create({ ...made, options })
    const last = { deploymentId: made.id, status }
    await ports.stacks.replace({ ...present(await ports.stacks.find(stack)), last })
  }
  await given('good', 'sha256:0a', 'succeeded')
  await given('bad', 'nginx@sha256:0b', 'failed')
  const { json } = await call(prune, { ports, as: 'operator' })
  expect([json.deleted, json.kept.map(({ id, stack }: Json) => [id, stack])]).toEqual([
    ['sha256:0c'],
    [
      ['sha256:0a', 'good'],
      ['sha256:0b', 'bad'],
    ],
  ])
})

test('stacks keep images on their own host only; records without images keep none', async () => {
  const here = world()
  const { ports, engine } = here
  const far = await givenHost(here, 'far')
  const compose = 'services: {web: {image: "busybox:latest"}}'
  await givenStack(here, 'shop', { compose, deployed: false, host: 'far' })
  const images = { web: 'sha256:old' }
  const ended = { ...deployment('01', 'shop'), hostId: 'far', status: 'succeeded' as const }
  const pulled = { action: 'pull', kind: 'image', name: 'busybox', reason: 'no image', ms: 1 }
  const steps = [{ ...pulled, status: 'done' as const }]
  await ports.deployments.create({ ...ended, images, steps })
  const { images: _, ...older } = { ...deployment('00', 'shop'), status: 'succeeded' as const }
  await ports.deployments.create(older as Deployment)
  for (const one of [engine, far.engine]) one.state.unnamed.add('sha256:old')
  const on = async (host: string) =>
    (await call(prune, { ports, as: 'operator', query: { host } })).json.deleted
  expect([await on('local'), await on('far')]).toEqual([['sha256:old'], []])
})

test('a caller who may not read stacks learns that an image stays, not for which stack', async () => {
  const here = world()
  const { ports } = here
  await deployedOften(here, 2)
  await ports.roles.create({
    id: 'pruner',
    permissions: ['hosts:read', 'images:read', 'images:delete'],
    createdAt: 1,
  })
  const as = { username: 'eve', role: 'pruner' }
  const { json } = await call(prune, { ports, as })
  expect(json.kept).toMatchObject([{ reason: 'deployment', stack: null }])
})

test('200: a dry run lists what a prune removes, and removes nothing', async () => {
  const here = world()
  const { ports, engine } = here
  const [before] = await deployedOften(here, 2)
  engine.state.unnamed.add('sha256:gone')
  const dry = { ports, as: 'admin', query: { dry_run: true } } as const
  const { json } = await call(prune, dry)
  expect(json).toMatchObject({ deleted: [], reclaimed_bytes: 0, kept: [{ id: before }] })
  expect(json.images).toMatchObject([{ id: 'sha256:gone', tags: [], size: 1024 }])
  const all = await call(prune, { ...dry, query: { dry_run: true, all: true } })
  expect(all.json.images.map((one: Json) => one.tags)).toEqual([['busybox:latest'], []])
  expect(engine.state.unnamed.has('sha256:gone')).toBe(true)
})

test('200: with all, unused images with names go too; 403 without stacks:privileged', async () => {
  const here = world()
  const { ports, engine } = here
  await deployedOften(here, 2)
  const query = { all: true }
  for (const dry_run of [true, false]) {
    const refused = await call(prune, { ports, as: 'operator', query: { ...query, dry_run } })
    expect([refused.status, engine.state.images.has('busybox:latest')]).toEqual([403, true])
  }
  const { json } = await call(prune, { ports, as: 'admin', query })
  expect(json.images.map((one: Json) => one.tags)).toEqual([['busybox:latest']])
  expect([...engine.state.images.keys()]).not.toContain('busybox:latest')
  expect([...engine.state.images.keys()]).toContain('nginx:1')
})

test('with all, what is pulled while a prune runs stays', async () => {
  const here = world()
  const { ports, engine } = here
  const { pruneImages } = engine
  engine.pruneImages = async (...given) => {
    await engine.pullImage('nginx:2', given[2])
    return pruneImages(...given)
  }
  const { json } = await call(prune, { ports, as: 'admin', query: { all: true } })
  expect(json.images.map((one: Json) => one.tags)).toEqual([['busybox:latest']])
  expect([...engine.state.images.keys()]).toContain('nginx:2')
})

test('the images of a running deployment that has no container yet stay', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  await engine.pullImage('nginx:2', new AbortController().signal)
  const pull = { action: 'pull', kind: 'image', name: 'nginx:2', reason: 'asked', ms: null }
  const steps = [{ ...pull, status: 'done' as const }]
  await ports.deployments.create({ ...deployment('01', 'shop'), steps })
  const { json } = await call(prune, { ports, as: 'admin', query: { all: true } })
  expect([json.images, json.kept.map((one: Json) => one.tags)]).toEqual([
    [],
    [['busybox:latest'], ['nginx:2']],
  ])
})

test('an image that only a running deployment is about to use stays', async () => {
  const here = world()
  const { ports, engine } = here
  const compose = (image: string) => `services: {web: {image: "${image}", command: sleep 60}}`
  await givenStack(here, 'shop', { compose: compose('nginx:1'), deployed: false })
  await call(deploy, { ...shop(here), body: {} })
  await engine.pullImage('nginx:2', new AbortController().signal)
  await call(update, { ...shop(here), body: { compose: compose('nginx:2'), revision: 1 } })
  const { execute } = engine
  const kept: unknown[] = []
  engine.execute = async (...given) => {
    const { json } = await call(prune, { ports, as: 'admin', query: { all: true, dry_run: true } })
    kept.push(json.kept.flatMap((one: Json) => one.tags).includes('nginx:2'))
    return execute(...given)
  }
  const { json } = await call(deploy, { ...shop(here), body: {} })
  expect([json.status, kept[0]]).toEqual(['succeeded', true])
})

test('an image stays that a deployment needs which began after the plan of the prune', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  await engine.pullImage('nginx:2', new AbortController().signal)
  const { installation } = engine
  engine.installation = async () => {
    engine.installation = installation
    await ports.deployments.create({ ...deployment('01', 'shop'), plannedImages: ['nginx:2'] })
    return installation()
  }
  await call(prune, { ports, as: 'admin', query: { all: true } })
  expect([...engine.state.images.keys()]).toContain('nginx:2')
})

test('202: without waiting, an operation that prunes', async () => {
  const { ports } = world()
  const { status, json } = await call(prune, { ports, as: 'operator', query: { wait: false } })
  expect([status, json.kind, json.status]).toEqual([202, 'image_prune', 'running'])
  await ports.background.settled()
})

test('400: all hosts', async () => {
  const { ports } = world()
  expect((await call(prune, { ports, as: 'operator', query: { host: 'all' } })).status).toBe(400)
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far', { tags: ['lab'] })
  expect((await call(prune, { ports })).status).toBe(401)
  expect((await call(prune, { ports, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  expect((await call(prune, { ports, as, query: { host: 'local' } })).status).toBe(403)
})

test('409: while a deployment on that host builds an image', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  // The list of running deployments may lag behind.
  ports.deployments.listRunning = async () => []
  engine.state.unnamed.add('sha256:half')
  const build = { action: 'build', kind: 'image', name: 'shop-web', reason: 'asked', ms: null }
  const save = (hostId: string, status: 'pending' | 'running' | 'done') =>
    ports.deployments.create({
      ...deployment('d1', 'shop'),
      hostId,
      steps: [{ ...build, status }],
    })
  for (const status of ['pending', 'running'] as const) {
    await save('local', status)
    const { status: answered, json } = await call(prune, { ports, as: 'operator' })
    expect([answered, json.error]).toEqual([
      409,
      expect.stringContaining(`host ${localHost.name}: a deployment builds`),
    ])
  }
  await save('local', 'done')
  expect((await call(prune, { ports, as: 'operator' })).status).toBe(200)
  await save('far', 'running')
  expect((await call(prune, { ports, as: 'operator' })).status).toBe(200)
})

test('a build waits for a prune that is in progress', async () => {
  const here = world()
  const { ports, engine } = here
  const dockerfile = 'build: {dockerfile_inline: "FROM busybox"}'
  const compose = `services: {web: {command: sleep 60, ${dockerfile}}}`
  await givenStack(here, 'built', { compose, deployed: false })
  const part = { path: 'part', content: Buffer.from('x'), mode: 0o644 }
  await engine.writeFiles('/opt/stacks/built', [part])
  engine.state.unnamed.add('sha256:old')
  let finish = () => {}
  const pruneImages = () =>
    new Promise<PrunedImages>((resolve) => {
      finish = () => resolve({ deleted: [], reclaimed: 0 })
    })
  ports.engines.byHost.set('local', { ...engine, pruneImages })
  const pruning = call(prune, { ports, as: 'operator' })
  await expect.poll(() => ports.leases.peek('prune:local')).toMatchObject({ held: true })
  ports.engines.byHost.set('local', engine)
  const deploying = call(deploy, { ports, as: 'operator', path: { name: 'built' }, body: {} })
  await expect.poll(async () => (await ports.deployments.listRunning()).length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(engine.executed.filter(({ action }) => action === 'build')).toEqual([])
  finish()
  expect((await pruning).status).toBe(200)
  ports.clock.advance(100)
  expect((await deploying).json).toMatchObject({ status: 'succeeded', error: null })
})

test('409: another prune is in progress', async () => {
  const { ports } = world()
  await ports.leases.acquire('prune:local', 'another', 60_000)
  const { status, json } = await call(prune, { ports, as: 'operator' })
  const error = `host ${localHost.name}: another prune of images is in progress`
  expect([status, json.error]).toEqual([409, error])
})
