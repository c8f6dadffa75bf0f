import { expect, test } from 'vitest'
import { bundleOf, givenProject, sendBundle } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, shop, world } from '../../../local/harness/world.ts'
import create from './create.ts'
import get from './get.ts'
import putPart from './parts/update.ts'

const body = { name: 'shop', size: 100 }

test('201: how and until when the bundle is to be sent', async () => {
  const here = world()
  await givenProject(here)
  const { status, json } = await call(create, { ports: here.ports, as: 'operator', body })
  expect([status, json.part_size]).toEqual([201, 4194304])
  expect(Date.parse(json.expires_at)).toBeGreaterThan(here.ports.clock.now())
})

test('200: which parts have arrived', async () => {
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

test('403: a viewer', async () => {
  expect((await call(create, { ports: world().ports, as: 'viewer', body })).status).toBe(403)
})

test('404: no such host, no such adoption', async () => {
  const { ports } = world()
  const far = { ports, as: 'operator' as const, body: { ...body, host: 'mars' } }
  expect((await call(create, far)).status).toBe(404)
  expect((await call(get, { ports, as: 'operator', path: { id: 'none' } })).status).toBe(404)
})

test('409: the project is a stack already', async () => {
  const here = world()
  await givenStack(here)
  const { status } = await call(create, { ports: here.ports, as: 'operator', body })
  expect(status).toBe(409)
})

test('422: no such project runs, and those that do are named', async () => {
  const here = world()
  await givenProject(here)
  const asked = { ports: here.ports, as: 'operator' as const, body: { ...body, name: 'shoop' } }
  const { status, json } = await call(create, asked)
  expect([status, json.error]).toEqual([422, expect.stringMatching(/found: shop$/)])
})

test('204, 400, 404: parts', async () => {
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
