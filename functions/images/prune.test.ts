import { expect, test } from 'vitest'
import { deployment } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import type { PrunedImages } from '../core/records/host-engine.ts'
import deploy from '../stacks/deploy.ts'
import list from './list.ts'
import prune from './prune.ts'

test('200: returns the deleted images and the reclaimed space, and updates the list at once', async () => {
  const { ports, engine } = world()
  engine.state.unnamed.add('sha256:old')
  const ids = async () =>
    (await call(list, { ports, as: 'operator' })).json.map((one: Json) => one.id)
  expect(await ids()).toContain('sha256:old')
  const pruned = await call(prune, { ports, as: 'operator' })
  expect(pruned.json).toEqual({ deleted: ['sha256:old'], reclaimed_bytes: 1024 })
  expect(await ids()).not.toContain('sha256:old')
  const again = await call(prune, { ports, as: 'operator' })
  expect(again.json).toEqual({ deleted: [], reclaimed_bytes: 0 })
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
  const { ports, engine } = world()
  const pruneImages = async () => {
    throw conflict('a prune operation is already running')
  }
  ports.engines.byHost.set('local', { ...engine, pruneImages })
  expect((await call(prune, { ports, as: 'operator' })).status).toBe(409)
  await ports.leases.acquire('prune:local', 'another', 60_000)
  const { status, json } = await call(prune, { ports, as: 'operator' })
  const error = `host ${localHost.name}: another prune of images is in progress`
  expect([status, json.error]).toEqual([409, error])
})
