import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, shop, type World, world } from '../../local/harness/world.ts'
import config from './config.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import remove from './remove.ts'

const body = { name: 'shop', compose: shop }

test('201: saves the stack without deploying it', async () => {
  const { ports, engine } = world()
  const { status, json, headers } = await call(create, { ports, as: 'operator', body })
  expect([status, headers.location]).toEqual([201, '/api/v1/stacks/shop'])
  expect(json).toMatchObject({
    name: 'shop',
    host: 'local',
    directory: '/opt/stacks/shop',
    status: 'not_deployed',
    services: { total: 2, running: 0 },
    revision: 1,
    deployed_at: null,
  })
  expect(engine.executed).toEqual([])
})

test('201: saves it for the given host, with .env and overlays', async () => {
  const here = world()
  await givenHost(here, 'far')
  const overlays = { prod: 'services: {db: {command: sleep 1}}' }
  const full = { ...body, host: 'far', env: 'SECONDS=5\n', overlays }
  const made = await call(create, { ports: here.ports, as: 'operator', body: full })
  expect(made.json.host).toBe('far')
  const { json } = await call(get, { ports: here.ports, as: 'operator', path: { name: 'shop' } })
  expect(json).toMatchObject({ compose: shop, env: 'SECONDS=5\n', overlays })
})

test('201: keeps the byte order mark and the line ends of files from Windows', async () => {
  const { ports } = world()
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
  const sent = { name: 'shop', compose: windows(shop), env: windows('SECONDS=5\nB=2\n') }
  const made = await call(create, { ports, as: 'operator', body: sent })
  expect([made.status, made.json.services]).toEqual([201, { total: 2, running: 0, unhealthy: 0 }])
  const { json } = await call(get, { ports, as: 'operator', path: { name: 'shop' } })
  expect([json.compose, json.env]).toEqual([sent.compose, sent.env])
  const resolved = await call(config, { ports, as: 'admin', path: { name: 'shop' } })
  expect(JSON.stringify(resolved.json.services.db.command)).toContain('5')
})

test('403: a name of the service, without stacks:privileged', async () => {
  const { ports } = world()
  const sent = { ...body, name: 'container-stacks-agent' }
  expect((await call(create, { ports, as: 'operator', body: sent })).status).toBe(403)
  expect((await call(create, { ports, as: 'admin', body: sent })).status).toBe(201)
})

/** Puts a file of others into the directory of the stack. */
const putForeign = ({ engine }: Pick<World, 'engine'>) =>
  engine.state.files.set('/opt/stacks/shop/.env', {
    path: '.env',
    content: Buffer.from('KEY=theirs'),
    mode: 0o600,
  })

test('403: others have files in the directory, without stacks:privileged', async () => {
  const here = world()
  putForeign(here)
  const { status, headers, json } = await call(create, { ports: here.ports, as: 'operator', body })
  expect([status, headers['x-error-reason'], json.error]).toEqual([
    403,
    'policy',
    expect.stringMatching(/^stack shop: its directory \/opt\/stacks\/shop .* of no stack: .*adopt/),
  ])
  expect((await call(create, { ports: here.ports, as: 'admin', body })).status).toBe(201)
  expect((await call(create, { ports: here.ports, as: 'operator', body })).status).toBe(409)
})

test('403: files of a deleted stack, for another account than the one that deleted it', async () => {
  const here = world()
  const { ports } = here
  const path = { name: 'shop' }
  const deleted = async () => {
    await call(create, { ports, as: 'operator', body })
    await call(deploy, { ports, as: 'operator', path, body: {} })
    putForeign(here)
    await call(remove, { ports, as: 'operator', path, query: {} })
    expect(await ports.stacks.find('shop')).toBeUndefined()
  }
  await deleted()
  const eve = { username: 'eve', role: 'operator' }
  const { status, json } = await call(create, { ports, as: eve, body })
  expect([status, json.error]).toEqual([
    403,
    expect.stringContaining('requires the account operator, who deleted the last stack there'),
  ])
  await deleted()
  expect((await call(create, { ports, as: 'operator', body })).status).toBe(201)
})

test('403: files that could not be looked for when the stack was created, at its first deploy', async () => {
  const here = world()
  const { ports } = here
  const far = await givenHost(here, 'far')
  far.off()
  const onFar = { ...body, host: 'far' }
  expect((await call(create, { ports, as: 'operator', body: onFar })).status).toBe(201)
  far.engine.offline = undefined
  putForeign(far)
  const path = { name: 'shop' }
  for (const asked of [{}, { on_drift: 'overwrite' }, { on_drift: 'import' }]) {
    const { status } = await call(deploy, { ports, as: 'operator', path, body: asked })
    expect(status, JSON.stringify(asked)).toBe(403)
  }
  await call(remove, { ports, as: 'operator', path, query: {} })
  expect((await call(create, { ports, as: 'operator', body: onFar })).status).toBe(403)
})

test('403: a stack that is placed on another host when it is deployed', async () => {
  const here = world()
  const { ports } = here
  const far = await givenHost(here, 'far')
  await call(create, { ports, as: 'operator', body })
  putForeign(far)
  const asked = { ports, path: { name: 'shop' }, body: { host: 'far' } }
  expect((await call(deploy, { ...asked, as: 'operator' })).status).toBe(403)
  expect((await call(deploy, { ...asked, as: 'admin' })).status).not.toBe(403)
})

test('409: the name is taken, even on another host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await call(create, { ports: here.ports, as: 'operator', body })
  const again = { ...body, host: 'far' }
  const { status, json } = await call(create, { ports: here.ports, as: 'operator', body: again })
  expect(status).toBe(409)
  expect(json.error).toContain('shop')
})

test('409: one of many simultaneous requests succeeds', async () => {
  const { ports } = world()
  const asked = Array.from({ length: 10 }, () => call(create, { ports, as: 'operator', body }))
  const statuses = (await Promise.all(asked)).map((answer) => answer.status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(9)
})

test.each([
  ['services: {db: {image: [}}', /compose\.yaml:1:\d+/],
  ['services:\n  db:\n    image: a\n    image: b\n', /compose\.yaml:4:\d+.*image/],
  ['services: {db: {imagee: a}}', /services\.db.*imagee/],
  ['services: {db: {image: a, depends_on: [web]}}', /web/],
  ['services: {db: {image: "${X:?no X}"}}', /no X/],
])('422: %j', async (compose, message) => {
  const { ports } = world()
  const wrong = { name: 'shop', compose }
  const { status, json } = await call(create, { ports, as: 'operator', body: wrong })
  expect([status, json.error]).toEqual([422, expect.stringMatching(message)])
  expect(await ports.stacks.list()).toEqual([])
})

test('422: two services have one container name; 201 if profiles keep them apart', async () => {
  const here = world()
  const body = (more: string) => {
    const service = 'image: nginx, container_name: one'
    return { name: 'shop', compose: `services:\n  a: {${service}}\n  b: {${service}${more}}\n` }
  }
  const refused = await call(create, { ports: here.ports, as: 'operator', body: body('') })
  expect([refused.status, refused.json.error]).toEqual([
    422,
    'compose.yaml:3:21: services.b.container_name: container name "one" is already in use by service a',
  ])
  const apart = body(', profiles: [debug]')
  expect((await call(create, { ports: here.ports, as: 'operator', body: apart })).status).toBe(201)
})

test('422: names the overlay that does not load', async () => {
  const { ports } = world()
  const wrong = { ...body, overlays: { prod: 'services: {db: {nope: 1}}' } }
  const { status, json } = await call(create, { ports, as: 'operator', body: wrong })
  expect([status, json.error]).toEqual([422, expect.stringContaining('nope')])
})

test.each([
  { ...body, name: 'Shop' },
  { ...body, name: '../shop' },
  { ...body, name: '' },
  { ...body, more: 1 },
  { name: 'shop' },
  { ...body, compose: 'x'.repeat(1024 * 1024 + 1) },
  { ...body, overlays: { 'a/b': '' } },
  { ...body, env: 'A=\0' },
])('400: case %#', async (wrong) => {
  const { ports } = world()
  expect((await call(create, { ports, as: 'operator', body: wrong })).status).toBe(400)
})
