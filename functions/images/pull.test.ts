import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import { notFound } from '../core/errors.ts'
import list from './list.ts'
import pull from './pull.ts'

const body = { image: 'nginx:1' }

test('200: returns the image, and updates the list at once', async () => {
  const { ports } = world()
  await call(list, { ports, as: 'operator' })
  const pulled = await call(pull, { ports, as: 'operator', body })
  expect(pulled.status).toBe(200)
  expect(pulled.json).toMatchObject({ tags: ['nginx:1'], containers: 0, host_id: 'local' })
  expect((await call(list, { ports, as: 'operator' })).json).toContainEqual(pulled.json)
})

test('202: without waiting, an operation that pulls', async () => {
  const { ports } = world()
  const { status, json } = await call(pull, { ports, as: 'operator', body, query: { wait: false } })
  expect([status, json.kind, json.subject.id]).toEqual([202, 'image_pull', 'nginx:1'])
  await ports.background.settled()
})

test('400: refuses the name of the helper image in every spelling', async () => {
  const { ports } = world()
  for (const prefix of ['', 'docker.io/', 'index.docker.io/']) {
    const image = `${prefix}container-stacks/files:1`
    const { status, json } = await call(pull, { ports, as: 'operator', body: { image } })
    expect([status, json.error]).toEqual([
      400,
      expect.stringContaining('reserved for the helper image'),
    ])
  }
})

test('200: pulls to another host and records the image and the host', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  far.engine.state.registry.add('nginx:1')
  const route = 'POST /images/pull'
  const sent = { image: 'nginx:1', host: 'far' }
  const { json } = await call(pull, { ports: here.ports, as: 'operator', route, body: sent })
  expect(json.host_id).toBe('far')
  const { rows } = await here.ports.audit.list({ limit: 1 })
  expect(rows[0]).toMatchObject({
    action: 'images.pull',
    outcome: 'succeeded',
    subject: { kind: 'images', id: 'nginx:1' },
    hosts: ['far'],
    values: { image: 'nginx:1', host: 'far' },
  })
})

test.each([
  '',
  ' nginx',
  'nginx:1 ',
  '/nginx',
  'a//b',
  'a/../b',
  '../../version',
  'nginx?tag=1',
  'nginx#1',
  'a%2fb',
  'a\nb',
  'a/',
  'x'.repeat(513),
  'nginx:',
  'nginx:1:latest',
  'nginx@',
  'nginx@@sha256:0f',
  'nas:x/nginx',
])('400: %j is not an image name', async (image) => {
  const { ports } = world()
  expect((await call(pull, { ports, as: 'operator', body: { image } })).status).toBe(400)
})

test('400: all hosts, no image, or an unknown field', async () => {
  const { ports } = world()
  for (const sent of [{ ...body, host: 'all' }, {}, { ...body, tag: '1' }, null]) {
    expect((await call(pull, { ports, as: 'operator', body: sent })).status).toBe(400)
  }
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  expect((await call(pull, { ports, body })).status).toBe(401)
  expect((await call(pull, { ports, as: 'viewer', body })).status).toBe(403)
  const as = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  const sent = { ...body, host: 'local' }
  expect((await call(pull, { ports, as, body: sent })).status).toBe(403)
})

test.each(['localhost:5000/x', '10.0.0.1/x', 'METADATA/x', '[::1]:5000/x', 'nas.lan/x'])(
  '403: an operator cannot make the Engine contact the registry of %s',
  async (image) => {
    const { ports, engine } = world()
    const pullImage = async () => {
      throw new Error('it was dialed')
    }
    ports.engines.byHost.set('local', { ...engine, pullImage })
    const answer = await call(pull, { ports, as: 'operator', body: { image } })
    // The Engine rejects brackets in the name of an image.
    expect(answer.status).toBe(image.startsWith('[') ? 400 : 403)
    if (answer.status === 403) expect(answer.json.error).toMatch(/^body\.image: the registry "/)
  },
)

test('200: an admin may use any registry, an operator only the allowed ones', async () => {
  const { ports, engine } = world()
  for (const image of ['nas:5000/x', 'stored:5000/x']) engine.state.registry.add(image)
  const status = async (as: 'admin' | 'operator', image: string) =>
    (await call(pull, { ports, as, body: { image } })).status
  expect(await status('admin', 'nas:5000/x')).toBe(200)
  expect(await status('operator', 'nas:5000/x')).toBe(403)
  await ports.settings.save({ 'registry.allow': ['nas:5000'] })
  expect(await status('operator', 'nas:5000/x')).toBe(200)
  const [username, password] = ['puller', 'secret']
  const at = { createdAt: 0, updatedAt: 0 }
  await ports.registries.create({ id: 'stored:5000', username, password, ...at })
  expect(await status('operator', 'stored:5000/x')).toBe(200)
})

test('404: unknown host or image', async () => {
  const { ports, engine } = world()
  const sent = { ...body, host: 'mars' }
  expect((await call(pull, { ports, as: 'operator', body: sent })).status).toBe(404)
  const pullImage = async () => {
    throw notFound('Pulling nginx:1 failed: manifest unknown')
  }
  ports.engines.byHost.set('local', { ...engine, pullImage })
  const answer = await call(pull, { ports, as: 'operator', body })
  expect(answer).toMatchObject({ status: 404, json: { error: expect.stringContaining('unknown') } })
})

test('500: returns the error of the pull', async () => {
  const { ports } = world()
  const answer = await call(pull, { ports, as: 'operator', body: { image: 'none:1' } })
  expect([answer.status, answer.json.error]).toEqual([
    500,
    'Pulling none:1 failed: there is no such image in the registry',
  ])
})

test('403: a name of the images of the service, without stacks:privileged', async () => {
  const { ports, engine } = world()
  for (const image of [
    'container-stacks:latest',
    'registry.example.org/a/container-stacks-agent',
  ]) {
    engine.state.registry.add(image)
    const refused = await call(pull, { ports, as: 'operator', body: { image } })
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringContaining('names that begin with container-stacks'),
    ])
    expect((await call(pull, { ports, as: 'admin', body: { image } })).status).toBe(200)
  }
})

test('409: a name that a stack builds, for callers who may not deploy that stack', async () => {
  const { ports, engine } = world()
  engine.state.registry.add('shop-web')
  const name = 'docker.io/library/shop-web:latest'
  await ports.owners.claim({ hostId: 'local', kind: 'image', name, stack: 'shop', at: 0 })
  await ports.roles.create({
    id: 'puller',
    permissions: ['images:pull', 'stacks:read'],
    createdAt: 0,
  })
  const pulls = (role: string, image = 'docker.io/shop-web') =>
    call(pull, { ports, as: { role, username: role }, body: { image } })
  await givenStack({ ports, engine }, 'shop', { deployed: false })
  const refused = await pulls('puller')
  expect([refused.status, refused.json.error]).toEqual([
    409,
    expect.stringContaining('builds its image under this name'),
  ])
  expect(refused.json.error).not.toContain('stack shop')
  for (const role of ['operator', 'admin']) expect((await pulls(role, 'shop-web')).status).toBe(200)
  await ports.stacks.remove('shop')
  expect((await pulls('puller', 'shop-web')).status).toBe(200)
})
