import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenQueue } from '../../local/harness/full-queue.ts'
import { givenHost, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import getDeployment from './deployments/get.ts'
import getStack from './get.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const ask = ({ ports }: World) => ({ ports, as: 'operator' as const, path, body: {} })

test('200: creates and starts everything and records each step', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status, json, headers } = await call(deploy, ask(here))
  expect(status).toBe(200)
  expect([headers['x-operation-id'], headers.location]).toEqual([json.id, undefined])
  expect(json).toMatchObject({ status: 'succeeded', error: null, by: 'operator', kind: 'deploy' })
  expect(json.steps.every((step: Json) => step.status === 'done')).toBe(true)
  const names = [...here.engine.state.containers.values()].map(({ name }) => name)
  expect(names.sort()).toEqual(['shop-db-1', 'shop-web-1'])
  expect(here.engine.state.files.has('/opt/stacks/shop/compose.yaml')).toBe(true)
})

test('200: repeating it without a change makes no Engine call', async () => {
  const here = world()
  await givenStack(here)
  const before = here.engine.executed.length
  const { json } = await call(deploy, ask(here))
  expect(json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(here.engine.executed).toHaveLength(before)
})

test('200: recreates only the changed service', async () => {
  const here = world()
  await givenStack(here)
  const idOf = (name: string) =>
    [...here.engine.state.containers.values()].find((one) => one.name === name)?.id
  const before = [idOf('shop-db-1'), idOf('shop-web-1')]
  const compose = shop.replace('command: sleep 3600', 'command: sleep 7200')
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  expect(idOf('shop-db-1')).toBe(before[0])
  expect(idOf('shop-web-1')).not.toBe(before[1])
})

test('200: records how the image of a replaced container changes, if its name does', async () => {
  const here = world()
  await givenStack(here)
  const { images } = here.engine.state
  images.set('busybox:1.38', present(images.get('busybox:latest')))
  const compose = shop.replace('image: busybox:latest', 'image: busybox:1.38')
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  const changed = await call(deploy, { ...ask(here), body: { force_recreate: true } })
  expect(changed.json.steps.flatMap(({ image = [] }: Json) => image)).toEqual([
    { before: 'busybox:latest', after: 'busybox:1.38' },
  ])
  const id = present(changed.json.id)
  const read = await call(getDeployment, { ports: here.ports, as: 'viewer', path: { ...path, id } })
  expect(read.json.steps).toEqual(changed.json.steps)
})

test('200: applies the overlay of the given environment', async () => {
  const here = world()
  await givenStack(here)
  const overlays = { prod: 'services: {web: {command: sleep 1}}' }
  await call(update, { ports: here.ports, as: 'operator', path, body: { overlays } })
  const { json } = await call(deploy, { ...ask(here), body: { environment: 'prod' } })
  expect(json).toMatchObject({ status: 'succeeded', environment: 'prod' })
  expect(json.steps.map((step: Json) => step.name)).toContain('shop-web-1')
})

test('200: a failed deployment gives the step and the reason', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  here.engine.failing = (step) =>
    step.action === 'start' && step.name === 'shop-db-1'
      ? internalError('port is taken')
      : undefined
  const { status, json } = await call(deploy, ask(here))
  expect([status, json.status]).toEqual([200, 'failed'])
  expect(json.error).toContain('db')
  expect(json.error).toContain('port is taken')
  const states = Object.fromEntries(
    json.steps.map((step: Json) => [`${step.action} ${step.name}`, step.status]),
  )
  expect(states['start shop-db-1']).toBe('failed')
  expect(states['start shop-web-1']).toBe('skipped')
})

const inUse = { reason: 'in-use' } as const

test('200: a step that failed by a fault of the service is logged as one', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  here.engine.failing = ({ action }) => (action === 'start' ? internalError('a bug') : undefined)
  expect((await call(deploy, ask(here))).json.status).toBe('failed')
  const levels = here.ports.log.lines
    .filter(({ message }) => message === 'a step of a deployment failed')
    .map(({ level }) => level)
  expect(levels).toEqual(['error'])
})

test('200: logs the response of the Engine for a failed step, without returning it', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  here.engine.failing = (step) =>
    step.action === 'start' && step.name === 'shop-db-1'
      ? internalError('the port is in use', { ...inUse, detail: 'driver failed: address in use' })
      : undefined
  const { text } = await call(deploy, ask(here))
  expect(text).not.toContain('driver failed')
  expect(here.ports.log.lines).toContainEqual({
    level: 'warn',
    message: 'a step of a deployment failed',
    fields: expect.objectContaining({
      stack: 'shop',
      step: 'start container shop-db-1',
      detail: 'driver failed: address in use',
    }),
  })
})

test('200: uses the defaults without a body', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path })
  expect(json.status).toBe('succeeded')
})

test('202: continues in the background with wait=false', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status, json, headers } = await call(deploy, { ...ask(here), query: { wait: false } })
  expect([status, json.status]).toEqual([202, 'running'])
  expect(headers).toMatchObject({
    location: `/api/v1/stacks/shop/deployments/${json.id}`,
    'x-operation-id': json.id,
  })
  await here.ports.background.settled()
  const after = await call(getDeployment, {
    ports: here.ports,
    as: 'viewer',
    path: { ...path, id: json.id },
  })
  expect(after.json.status).toBe('succeeded')
})

/** Makes the Engine wait until the returned function is called. */
function holdUp({ engine }: World): () => void {
  const { execute, writeFiles } = engine
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  engine.execute = async (...given) => {
    await held
    return execute(...given)
  }
  engine.writeFiles = async (...given) => {
    await held
    return writeFiles(...given)
  }
  return letGo
}

test('200: plans what follows a pull while too many compose files of callers are read', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: 'services: {web: {image: "nginx:1"}}' })
  const queue = givenQueue(here.ports)
  const { execute } = here.engine
  here.engine.execute = async (step, signal) => {
    queue.isFull = true
    return execute(step, signal)
  }
  const body = { pull: 'always', force_recreate: true }
  const { json } = await call(deploy, { ...ask(here), body })
  expect(json).toMatchObject({ status: 'succeeded', error: null })
  expect(json.steps[0]).toMatchObject({ action: 'pull', status: 'done' })
  expect((await call(deploy, ask(here))).status).toBe(500)
})

test('202: the stack is deploying as soon as the request is answered', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const letGo = holdUp(here)
  await call(deploy, { ...ask(here), query: { wait: false } })
  const seen = await call(getStack, { ports: here.ports, as: 'viewer', path })
  expect(seen.json.status).toBe('deploying')
  letGo()
  await here.ports.background.settled()
})

test('200: the next operation can start after the end is reported, even before the lease is released', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { release } = here.ports.leases
  let isReleased = false
  here.ports.leases.release = async (lease) => {
    await here.ports.clock.sleep(40)
    isReleased = true
    return release(lease)
  }
  const { json } = await call(deploy, { ...ask(here), query: { wait: false } })
  const status = async () => (await here.ports.deployments.find('shop', json.id))?.status
  await expect.poll(status, { interval: 1 }).toBe('succeeded')
  expect(isReleased).toBe(false)
  expect((await call(stop, { ports: here.ports, as: 'operator', path })).status).toBe(200)
  await here.ports.background.settled()
})

test('409: fails at once while another operation runs', async () => {
  const here = world()
  await givenStack(here)
  await here.ports.leases.acquire('stack:shop', 'process/restore-1', 10_000)
  let peeks = 0
  const { peek } = here.ports.leases
  here.ports.leases.peek = (name) => {
    peeks += 1
    return peek(name)
  }
  const body = { pull: 'always' }
  expect((await call(deploy, { ...ask(here), body })).status).toBe(409)
  expect(peeks).toBe(2)
})

/**
 * Lets another process acquire and release the stack's lease during the nth read of the file, and
 * advances the clock.
 */
function meanwhile({ ports }: World, nth: number, milliseconds: number) {
  const { load } = ports.composer
  let times = 0
  ports.composer.load = async (input) => {
    times += 1
    if (times === nth) {
      ports.clock.advance(milliseconds)
      const other = await ports.leases.acquire('stack:shop', 'other', 10_000)
      await ports.leases.release(present(other))
    }
    return load(input)
  }
  return () => times
}

/** Lets another process acquire and release the stack's lease right after each peek. */
function disturbed({ ports }: World) {
  const { peek } = ports.leases
  ports.leases.peek = async (name) => {
    const seen = await peek(name)
    const other = await ports.leases.acquire(name, 'other', 10_000)
    await ports.leases.release(present(other))
    return seen
  }
}

test('200: plans again if another process held the stack in the meantime', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  disturbed(here)
  const times = meanwhile(here, 9, 0)
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  expect(times()).toBe(2)
})

test('200: plans again if only the state of the host required changes', async () => {
  const here = world()
  await givenStack(here, 'shop')
  here.engine.state.containers.clear()
  const times = meanwhile(here, 1, 0)
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  expect(times()).toBe(2)
  expect(here.engine.state.containers.size).toBe(2)
})

test('409: another process held the stack and planning again took longer than a lease', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  disturbed(here)
  meanwhile(here, 2, 10_001)
  expect((await call(deploy, ask(here))).status).toBe(409)
  expect(here.engine.executed).toEqual([])
  expect(await here.ports.leases.peek('stack:shop')).toMatchObject({ held: false })
})

test('409: one of several simultaneous deploys succeeds', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const answers = await Promise.all([1, 2, 3].map(() => call(deploy, ask(here))))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
})

test('200: places a stack that was never deployed on the given host', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenStack(here, 'shop', { deployed: false })
  const { json } = await call(deploy, { ...ask(here), body: { host: 'far' } })
  expect(json).toMatchObject({ host: 'far', status: 'succeeded' })
  expect(far.engine.state.containers.size).toBe(2)
})

test('409: the stack is deployed on another host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here)
  const { status, json } = await call(deploy, { ...ask(here), body: { host: 'far' } })
  expect([status, json.error]).toEqual([409, `stack shop: it is placed on host ${localHost.name}`])
})

test('409: keeps a stack on the host where its first deployment has begun', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenStack(here, 'shop', { deployed: false })
  const letGo = holdUp(here)
  const first = call(deploy, ask(here))
  await expect.poll(() => here.ports.deployments.listRunning()).toHaveLength(1)
  expect(await here.ports.stacks.find('shop')).toMatchObject({ last: null })
  const { status } = await call(deploy, { ...ask(here), body: { host: 'far' } })
  expect(status).toBe(409)
  letGo()
  expect((await first).json).toMatchObject({ status: 'succeeded', host: 'local' })
  expect(await here.ports.stacks.find('shop')).toMatchObject({ hostId: 'local', deployed: true })
  expect(far.engine.state.containers.size).toBe(0)
})

test('409: does not import files during a deployment', async () => {
  const here = world()
  await givenStack(here)
  const letGo = holdUp(here)
  const first = call(deploy, { ...ask(here), body: { pull: 'always' } })
  await expect.poll(() => here.ports.deployments.listRunning()).toHaveLength(1)
  const edited = Buffer.from(shop.replace('3600', '60'))
  present(here.engine.state.files.get('/opt/stacks/shop/compose.yaml')).content = edited
  const { status } = await call(deploy, { ...ask(here), body: { on_drift: 'import' } })
  expect(status).toBe(409)
  expect(await here.ports.stacks.find('shop')).toMatchObject({ contentRevision: 1 })
  letGo()
  await first
})

test('409: of simultaneous deploys to several hosts the first places the stack', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  const near = await givenHost(here, 'near')
  await givenStack(here, 'shop', { deployed: false })
  const answers = await Promise.all(
    ['far', 'near', 'far', 'near'].map(async (host) => {
      const { status } = await call(deploy, { ...ask(here), body: { host } })
      return { host, status }
    }),
  )
  expect(answers.map(({ status }) => status)).toContain(200)
  // A deploy to the same host may come after the first one, and then changes nothing.
  const { hostId } = present(await here.ports.stacks.find('shop'))
  const elsewhere = answers.filter(({ host }) => host !== hostId)
  expect(elsewhere.map(({ status }) => status)).toEqual([409, 409])
  const sizes = { far: far.engine.state.containers.size, near: near.engine.state.containers.size }
  expect(sizes).toEqual({ far: 0, near: 0, [hostId]: 2 })
})

test('422: the environment has no overlay', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status, json } = await call(deploy, { ...ask(here), body: { environment: 'prod' } })
  expect([status, json.error]).toEqual([422, expect.stringContaining('compose.prod.yaml')])
  expect(here.engine.executed).toEqual([])
})

test('422: names what the Engine does not support before changing anything', async () => {
  const here = world()
  const compose = 'services: {web: {image: busybox, use_api_socket: true}}'
  await givenStack(here, 'shop', { compose, deployed: false })
  const { status, json } = await call(deploy, { ...ask(here), as: 'admin' })
  expect([status, json.error]).toEqual([422, expect.stringContaining('use_api_socket')])
  expect(here.engine.executed).toEqual([])
})

test('500: the host does not respond', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  here.engine.offline = internalError('host local: it does not respond')
  const { status } = await call(deploy, ask(here))
  expect(status).toBe(500)
  here.engine.offline = undefined
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
})

test('200: reports orphaned containers as a warning', async () => {
  const here = world()
  await givenStack(here)
  const compose = 'services: {db: {image: "busybox:latest"}}'
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  const { json } = await call(deploy, ask(here))
  expect(json.status).toBe('succeeded')
  expect(json.warnings).toEqual([expect.stringMatching(/not in the project: shop-web-1/)])
})

test('200: the deployment lists the warnings of the file, even without steps', async () => {
  const here = world()
  const compose = 'services: {web: {image: "busybox:latest", labels: {tag: "$TAG$TAG"}}}'
  await call(create, { ports: here.ports, as: 'operator', body: { name: 'shop', compose } })
  const unset = 'The "TAG" variable is not set. Defaulting to a blank string.'
  for (const expected of ['created', 'unchanged']) {
    const { json } = await call(deploy, ask(here))
    expect(json).toMatchObject({ status: 'succeeded', warnings: [unset] })
    expect(json.steps.length > 0).toBe(expected === 'created')
    const asked = { ...ask(here), path: { ...path, id: json.id }, body: undefined }
    expect((await call(getDeployment, asked)).json.warnings).toEqual([unset])
  }
})
