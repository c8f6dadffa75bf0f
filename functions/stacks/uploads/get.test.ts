import { expect, test } from 'vitest'
import { bundleOf } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { sendUpload } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import get from './get.ts'

const path = { name: 'shop' }

test('200: the parts that have arrived', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const id = await sendUpload(here, await bundleOf({ a: 'a' }))
  const { json } = await call(get, { ports: here.ports, as: 'operator', path: { ...path, id } })
  expect(json).toEqual({ received: [0], expires_at: expect.any(String) })
})
