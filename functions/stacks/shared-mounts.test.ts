import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenStack, type World, world } from '../../local/harness/world.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import forget from './forget.ts'
import rollback from './rollback.ts'
import build from './services/build.ts'
import run from './services/run.ts'
import update from './update.ts'

const path = { name: 'shop' }
const busy = 'image: busybox:latest, command: sleep 60'
const declared = 'volumes: {data: {}}\n'
const mail = `  mail: {${busy}}\n`
/** Returns the labels by which a container belongs to a project. */
const labelsOf = (project: string, service: string) => ({
  'com.docker.compose.project': project,
  'com.docker.compose.service': service,
  'com.docker.compose.config-hash': 'x',
})
const script = (content: string) => ({ 'scripts/run.sh': { content } })

/**
 * Returns what an admin has deployed: a service that controls its host, or reaches as `own` says,
 * and mounts a script, a directory and a volume of the stack.
 */
async function privileged(own = 'privileged: true'): Promise<World> {
  const here = world()
  const mounts = 'volumes: ["./scripts:/scripts:ro", "./state:/state", "data:/data"]'
  const worker = `  worker: {${busy}, ${own}, ${mounts}}\n`
  await givenStack(here, 'shop', { compose: `services:\n${worker}${mail}${declared}` })
  const { ports } = here
  const body = { files: script('echo own') }
  const saved = await call(update, { ports, as: 'admin', path, body })
  if (saved.status !== 200) throw new Error(saved.text)
  const done = await call(deploy, { ports, as: 'admin', path, body: {} })
  if (done.json.status !== 'succeeded') throw new Error(done.text)
  here.engine.executed.splice(0)
  return here
}

/** Saves files without the worker, whose container stays, and deploys them. */
async function without({ ports }: World, services: string, files = {}) {
  const body = { compose: `services:\n${services}${declared}`, files }
  const saved = await call(update, { ports, as: 'operator', path, body })
  if (saved.status !== 200) throw new Error(saved.text)
  return call(deploy, { ports, as: 'operator', path, body: {} })
}

const sharing: Record<string, [services: string, files?: object]> = {
  'the file that it mounts': [mail, script('cat /etc/shadow')],
  'its volume': [`  web: {${busy}, volumes: ["data:/d"]}\n`],
  'its directory': [`  web: {${busy}, volumes: ["./state:/s"]}\n`],
  'the directory around its own': [`  web: {${busy}, volumes: [".:/s:ro"]}\n`],
}

test.each(Object.entries(sharing))(
  '403: an operator’s deploy shares %s with no container that controls the host',
  async (_, [services, files]) => {
    const here = await privileged()
    const { status, text } = await without(here, services, files)
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('container shop-worker-1: entering it gives control of the host'),
    ])
    expect(here.engine.executed).toEqual([])
  },
)

test('403: an operator who made the service forget a stack gets no control by its container', async () => {
  const here = await privileged()
  const as = { ports: here.ports, as: 'operator' as const }
  expect((await call(forget, { ...as, path })).status).toBe(204)
  const attempts: Record<string, object> = {
    shop: { compose: `services:\n${mail}${declared}`, files: script('cat /etc/shadow') },
    other: {
      compose: `services:\n  web: {${busy}, volumes: ["data:/d"]}\nvolumes: {data: {external: true, name: shop_data}}\n`,
    },
  }
  for (const [name, files] of Object.entries(attempts)) {
    expect((await call(create, { ...as, body: { name, ...files } })).status).toBe(201)
    const deployed = await call(deploy, { ...as, path: { name }, body: {} })
    expect([name, deployed.status]).toEqual([name, 403])
  }
  expect(here.engine.executed).toEqual([])
})

test('403: neither with one that has data of others', async () => {
  const { status, text } = await without(
    await privileged('network_mode: host'),
    mail,
    script('curl localhost'),
  )
  expect([status, text]).toEqual([403, expect.stringContaining('network_mode: host')])
})

test('403: neither if the deploy leaves out the service', async () => {
  const here = await privileged()
  const { ports } = here
  const lowered = `  worker: {${busy}, volumes: ["./scripts:/scripts:ro"]}\n`
  const body = {
    compose: `services:\n${lowered}${mail}${declared}`,
    files: script('cat /etc/shadow'),
  }
  expect((await call(update, { ports, as: 'operator', path, body })).status).toBe(200)
  const some = { services: ['mail'], dependencies: false }
  const { status } = await call(deploy, { ports, as: 'operator', path, body: some })
  expect([status, here.engine.executed]).toEqual([403, []])
})

test('403: neither does a rollback to files without it', async () => {
  const here = world()
  const { ports } = here
  const deployed = async (services: string, files: object) => {
    const body = { compose: `services:\n${services}${declared}`, files }
    await call(update, { ports, as: 'admin', path, body })
    return (await call(deploy, { ports, as: 'admin', path, body: {} })).json
  }
  await givenStack(here, 'shop', { compose: `services:\n${mail}${declared}` })
  const { id } = await deployed(mail, script('echo old'))
  const worker = `  worker: {${busy}, privileged: true, volumes: ["./scripts:/scripts:ro"]}\n`
  expect((await deployed(worker + mail, script('echo new'))).status).toBe('succeeded')
  const body = { deployment_id: id }
  const { status, text } = await call(rollback, { ports, as: 'operator', path, body })
  expect([status, text]).toEqual([403, expect.stringContaining('shop-worker-1')])
})

test('403: neither does a build, which writes the files', async () => {
  const here = await privileged()
  const { ports } = here
  const body = {
    compose: `services:\n  web: {${busy}, build: .}\n${declared}`,
    files: { ...script('cat /etc/shadow'), Dockerfile: { content: 'FROM busybox\n' } },
  }
  expect((await call(update, { ports, as: 'operator', path, body })).status).toBe(200)
  const ofService = { name: 'shop', service: 'web' }
  const { status, text } = await call(build, { ports, as: 'operator', path: ofService, body: {} })
  expect([status, text]).toEqual([403, expect.stringContaining('shop-worker-1')])
  expect(here.engine.executed).toEqual([])
})

test('403: nor a build of a stack that has the name of a project that runs', async () => {
  const here = world()
  const { ports } = here
  const compose = `services:\n  web: {${busy}, build: .}\n`
  const files = { Dockerfile: { content: 'FROM busybox\n' } }
  const made = { name: 'hand', compose, files }
  expect((await call(create, { ports, as: 'operator', body: made })).status).toBe(201)
  await givenContainer(here, 'hand-web-1', { labels: labelsOf('hand', 'web') })
  const ofService = { name: 'hand', service: 'web' }
  const { status, text } = await call(build, { ports, as: 'operator', path: ofService, body: {} })
  expect([status, text]).toEqual([403, expect.stringContaining('adopt the project')])
})

test('403: neither does a one-off container', async () => {
  const here = world()
  const compose = `services:\n  web: {${busy}, volumes: ["data:/d"]}\n${declared}`
  await givenStack(here, 'shop', { compose })
  // As a version without these checks left it.
  await givenContainer(here, 'shop-worker-1', {
    hostConfig: { Privileged: true, Binds: ['shop_data:/data'] },
    labels: labelsOf('shop', 'worker'),
  })
  const request = { ports: here.ports, path: { name: 'shop', service: 'web' }, body: {} }
  const { status, text } = await call(run, { ...request, as: 'operator' })
  expect([status, text]).toEqual([403, expect.stringContaining('shop-worker-1')])
  expect((await call(run, { ...request, as: 'admin' })).status).toBe(201)
})

test('409: an admin’s deploy of such files leaves no container that controls the host', async () => {
  for (const [services, files] of Object.values(sharing)) {
    const here = await privileged()
    const { ports } = here
    await without(here, services, files)
    const request = { ports, as: 'admin' as const, path }
    const { status, text } = await call(deploy, { ...request, body: {} })
    expect([status, text]).toEqual([409, expect.stringContaining('container shop-worker-1')])
    expect(here.engine.executed).toEqual([])
    const done = await call(deploy, { ...request, body: { remove_orphans: true } })
    expect(done.json.status).toBe('succeeded')
  }
})

test('200: an admin’s deploy shares what the files say', async () => {
  const { ports } = await privileged()
  const body = { files: script('echo newer') }
  expect((await call(update, { ports, as: 'admin', path, body })).status).toBe(200)
  for (const asked of [{ services: ['mail'], dependencies: false }, {}]) {
    const { json } = await call(deploy, { ports, as: 'admin', path, body: asked })
    expect(json.status).toBe('succeeded')
  }
})

test('200: an operator’s deploy shares what an ordinary container has', async () => {
  for (const [services, files] of Object.values(sharing)) {
    const done = await without(await privileged('init: true'), services, files)
    expect([done.status, done.json.status]).toEqual([200, 'succeeded'])
  }
})

/** A stack that mounts the volume of the stack `shop`. */
const visitor = `services:
  web: {${busy}, volumes: ["data:/d"]}
volumes: {data: {external: true, name: shop_data}}
`

async function visited(here: World, { mounts = true } = {}) {
  const { ports } = here
  const before = visitor.replace(', volumes: ["data:/d"]', '')
  await givenStack(here, 'visitor', { compose: mounts ? visitor : before })
  if (!mounts) {
    const body = { compose: visitor }
    await call(update, { ports, as: 'admin', path: { name: 'visitor' }, body })
  }
  const body = { force_recreate: true }
  return call(deploy, { ports, as: 'operator', path: { name: 'visitor' }, body })
}

test('403: an operator mounts no volume of another stack that controls the host', async () => {
  const { status, text } = await visited(await privileged(), { mounts: false })
  expect([status, text]).toEqual([
    403,
    expect.stringContaining('volume shop_data: container shop-worker-1, which has it, controls'),
  ])
})

test('200: but one that was mounted before, is shared, or is that of an ordinary stack', async () => {
  expect((await visited(await privileged())).json.status).toBe('succeeded')
  const ordinary = await privileged('network_mode: host')
  expect((await visited(ordinary, { mounts: false })).json.status).toBe('succeeded')
  const sharing = await privileged()
  await sharing.ports.settings.save({ 'stacks.shared_volumes': ['shop_data'] })
  expect((await visited(sharing, { mounts: false })).json.status).toBe('succeeded')
})
