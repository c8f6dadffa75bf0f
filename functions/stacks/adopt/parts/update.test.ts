import { expect, test } from 'vitest'
import { bundleOf, givenProject, sendBundle } from '../../../../local/harness/bundle.ts'
import { call } from '../../../../local/harness/call.ts'
import { shop, world } from '../../../../local/harness/world.ts'
import complete from '../complete.ts'
import putPart from './update.ts'

test('204: accepts the same part twice', async () => {
  const here = world()
  await givenProject(here)
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const path = { id: await sendBundle(here, bundle), n: 0 }
  const body = { data: bundle.toString('base64') }
  expect((await call(putPart, { ports: here.ports, as: 'operator', path, body })).status).toBe(204)
  expect(await here.ports.uploads.received(path.id)).toEqual([0])
})

test('409: the adoption is already complete', async () => {
  const here = world()
  await givenProject(here)
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const { createHash } = await import('node:crypto')
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  await call(complete, { ports: here.ports, as: 'operator', path: { id }, body: { sha256 } })
  const body = { data: bundle.toString('base64') }
  const asked = { ports: here.ports, as: 'operator' as const, path: { id, n: 0 }, body }
  expect((await call(putPart, asked)).status).toBe(409)
})
