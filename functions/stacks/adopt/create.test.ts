import { expect, test } from 'vitest'
import { localHost } from '../../../adapters/testing/memory/hosts.ts'
import { present } from '../../../adapters/testing/present.ts'
import {
  bundleOf,
  changeContainer,
  givenProject,
  givenStackInDirectory,
  imagesHaveLabels,
  sendBundle,
} from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../../local/harness/world.ts'
import { label } from '../../compose/create/labels.ts'
import create from './create.ts'
import get from './get.ts'
import putPart from './parts/update.ts'

const body = { name: 'shop', size: 100 }

test('201: returns the part size and the expiry of the adoption', async () => {
  const here = world()
  await givenProject(here)
  const { status, json } = await call(create, { ports: here.ports, as: 'operator', body })
  expect([status, json.part_size]).toEqual([201, 4194304])
  expect(Date.parse(json.expires_at)).toBeGreaterThan(here.ports.clock.now())
})

test('200: lists the parts that have arrived', async () => {
  const here = world()
  await givenProject(here)
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const asked = { ports: here.ports, as: 'operator' as const, path: { id } }
  expect((await call(get, asked)).json.received).toEqual([0])
})

test('400: larger than the setting allows', async () => {
  const here = world()
  await givenProject(here)
  await here.ports.settings.save({ 'adopt.max_bundle_bytes': 99 })
  const { status, json } = await call(create, { ports: here.ports, as: 'operator', body })
  expect([status, json.error]).toEqual([400, expect.stringContaining('adopt.max_bundle_bytes')])
})

const begin = ({ ports }: World, as: 'operator' | 'admin') => call(create, { ports, as, body })

const web =
  (Labels: object, HostConfig = {}) =>
  (here: World) =>
    changeContainer(here, 'shop-web-1', { Labels, HostConfig })

test.each<[string, string, (here: World) => unknown]>([
  [
    'a project of another directory',
    'the directory /srv/shop',
    web({ [label.workingDir]: '/srv/shop' }),
  ],
  ['a compose file outside', '/etc/x.yaml is outside', web({ [label.configFiles]: '/etc/x.yaml' })],
  [
    'a compose file with .. in the middle',
    'is outside',
    web({ [label.configFiles]: '/opt/stacks/shop/../x.yaml' }),
  ],
  ['a link', 'is a link', ({ engine }) => engine.state.links.set('/opt/stacks/shop', '/etc')],
  ['a privileged container', 'Privileged', web({}, { Privileged: true })],
  ['a bind of the host', 'is outside', web({}, { Binds: ['/etc:/x:ro'] })],
  [
    'a volume that is a directory of the host',
    'the driver option device',
    ({ engine }) => {
      const options = { type: 'none', o: 'bind', device: '/etc' }
      const volume = engine.state.volumes.get('shop_data')
      engine.state.volumes.set('shop_data', { ...present(volume), options })
    },
  ],
  [
    'a directory inside that of a stack',
    'overlaps with that of',
    (here) => givenStackInDirectory(here, '/opt/stacks'),
  ],
  [
    'a directory around that of a stack',
    'overlaps with that of',
    (here) => givenStackInDirectory(here, '/opt/stacks/shop/sub'),
  ],
])('403: %s, unless the caller has stacks:privileged', async (_what, said, change) => {
  const here = world()
  await givenProject(here)
  await change(here)
  const { status, json } = await begin(here, 'operator')
  expect([status, json.error]).toEqual([403, expect.stringContaining(said)])
  expect(json.error).toContain('stacks:privileged')
  expect((await begin(here, 'admin')).status).toBe(201)
})

test('403: a project that has a name of the service', async () => {
  const here = world()
  await givenProject(here)
  const named = { ...body, name: 'container-stacks-proxy' }
  const asked = { ports: here.ports, body: named }
  expect((await call(create, { ...asked, as: 'operator' })).status).toBe(403)
  const { status, json } = await call(create, { ...asked, as: 'admin' })
  const none = `project ${named.name}: no such project runs on host ${localHost.name}; found: shop`
  expect([status, json.error]).toEqual([422, none])
})

test('409: the directory belongs to another stack, for every caller', async () => {
  const here = world()
  await givenProject(here)
  await givenStackInDirectory(here)
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await begin(here, as)
    expect([status, json.error]).toEqual([409, expect.stringContaining('of stack other')])
  }
})

test.each<[string, (here: World) => unknown]>([
  ['have their labels from their image', imagesHaveLabels],
  [
    'have no config hash',
    (here) => {
      for (const name of ['shop-web-1', 'shop-db-1'])
        changeContainer(here, name, { Labels: { [label.configHash]: '' } })
    },
  ],
  [
    'have an image that is gone',
    ({ engine }) => {
      engine.state.images.clear()
      engine.state.touch()
    },
  ],
])('422: containers that %s do not count as a project, for every caller', async (_what, change) => {
  const here = world()
  await givenProject(here)
  await change(here)
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await begin(here, as)
    expect([status, json.error]).toEqual([422, expect.stringMatching(/found: none$/)])
  }
})

test.each(['relative', '/', '/opt/../etc', ''])(
  '422: containers that name the directory %j',
  async (directory) => {
    const here = world()
    await givenProject(here)
    web({ [label.workingDir]: directory })(here)
    const { status, json } = await begin(here, 'admin')
    expect([status, json.error]).toEqual([422, expect.stringContaining('valid directory')])
  },
)

test('409: the project is already a stack', async () => {
  const here = world()
  await givenStack(here)
  const { status } = await call(create, { ports: here.ports, as: 'operator', body })
  expect(status).toBe(409)
})

test('422: no such project runs; names those that do', async () => {
  const here = world()
  await givenProject(here)
  const asked = { ports: here.ports, as: 'operator' as const, body: { ...body, name: 'shoop' } }
  const { status, json } = await call(create, asked)
  expect([status, json.error]).toEqual([422, expect.stringMatching(/found: shop$/)])
})

test('204, 400, 404: accepts valid parts only', async () => {
  const here = world()
  await givenProject(here)
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const put = (n: number | string, data: string, of = id) =>
    call(putPart, { ports: here.ports, as: 'operator', path: { id: of, n }, body: { data } })
  const data = bundle.toString('base64')
  expect((await put(0, data)).status).toBe(204)
  expect((await put(1, data)).status).toBe(400)
  expect((await put('x', data)).status).toBe(400)
  expect((await put(0, `${data}AAAA`)).status).toBe(400)
  expect((await put(0, `*${data.slice(1)}`)).status).toBe(400)
  expect((await put(0, data, 'none')).status).toBe(404)
})
