import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import { bundleOf } from '../../../../local/harness/bundle.ts'
import { call } from '../../../../local/harness/call.ts'
import { completeUpload, sendUpload } from '../../../../local/harness/stack-files.ts'
import { givenStack, type World, world } from '../../../../local/harness/world.ts'
import adoptPart from '../../adopt/parts/update.ts'
import update from './update.ts'

const path = { name: 'shop' }

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const bundle = await bundleOf({ a: 'a' })
  return { ...here, bundle, id: await sendUpload(here, bundle) }
}

const send = ({ ports }: World, id: string, bytes: Buffer, n = 0) =>
  call(update, {
    ports,
    as: 'operator',
    path: { ...path, id, n },
    body: { data: bytes.toString('base64') },
  })

test('204: a part can be sent again', async () => {
  const { id, bundle, ...here } = await given()
  expect((await send(here, id, bundle)).status).toBe(204)
  expect(await here.ports.uploads.received(id)).toEqual([0])
})

test('400: another size, a part that the bundle does not have, or no base64', async () => {
  const { id, bundle, ...here } = await given()
  expect((await send(here, id, bundle.subarray(1))).status).toBe(400)
  expect((await send(here, id, bundle, 1)).status).toBe(400)
  const asked = { ports: here.ports, as: 'operator' as const, path: { ...path, id, n: 0 } }
  expect((await call(update, { ...asked, body: { data: '?' } })).status).toBe(400)
})

test('409: the upload is complete', async () => {
  const { id, bundle, ...here } = await given()
  await completeUpload(here, id, bundle)
  expect((await send(here, id, bundle)).status).toBe(409)
})

test('404: an upload of files is no adoption, and no upload of another account', async () => {
  const { id, bundle, ...here } = await given()
  const body = { data: bundle.toString('base64') }
  const asked = { ports: here.ports, as: 'operator' as const, path: { id, n: 0 }, body }
  expect((await call(adoptPart, asked)).status).toBe(404)
  const upload = present(await here.ports.uploads.find(id))
  await here.ports.uploads.save({ ...upload, accountId: 'other' })
  expect((await send(here, id, bundle)).status).toBe(404)
})
