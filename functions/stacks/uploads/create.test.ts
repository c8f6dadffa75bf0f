import { expect, test } from 'vitest'
import { bundleOf } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { completeUpload, sendUpload } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import create from './create.ts'
import get from './get.ts'

const path = { name: 'shop' }

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  return here
}

test('201: starts an upload that expires after a day', async () => {
  const { ports } = await given()
  const { status, json } = await call(create, { ports, as: 'operator', path, body: { size: 9 } })
  expect([status, json.part_size]).toEqual([201, 4 * 1024 * 1024])
  expect(Date.parse(json.expires_at) - ports.clock.now()).toBe(24 * 3600 * 1000)
})

test('400: a bundle that cannot fit into the limit of a stack', async () => {
  const { ports } = await given()
  const start = (size: number) => call(create, { ports, as: 'operator', path, body: { size } })
  const { status, json } = await start(69 * 1024 * 1024)
  expect([status, json.error]).toEqual([400, expect.stringContaining('stack.max_bytes')])
  expect((await start(68 * 1024 * 1024)).status).toBe(201)
  expect((await start(0)).status).toBe(400)
})

test('an account has at most four open uploads: the oldest is given up with its parts', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const done = await sendUpload(here, bundle)
  await completeUpload(here, done, bundle)
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await sendUpload(here, bundle))
  const statuses = ids.map(async (id) => {
    const asked = { ports: here.ports, as: 'operator' as const, path: { ...path, id } }
    return (await call(get, asked)).status
  })
  expect(await Promise.all(statuses)).toEqual([404, 200, 200, 200, 200])
  expect(await here.ports.uploads.received(ids[0] ?? '')).toEqual([])
  // One that is complete does not count, nor do those of other accounts.
  const other = await sendUpload(here, bundle, { as: 'admin' })
  const asked = { ports: here.ports, as: 'admin' as const, path: { ...path, id: other } }
  expect((await call(get, asked)).json.received).toEqual([0])
})

test('404 and 403: no such stack, and a viewer', async () => {
  const body = { size: 9 }
  const nowhere = { ports: world().ports, as: 'operator' as const, path, body }
  expect((await call(create, nowhere)).status).toBe(404)
  const { ports } = await given()
  expect((await call(create, { ports, as: 'viewer', path, body })).status).toBe(403)
})
