import { expect, test } from 'vitest'
import { heldBackImage } from '../../../adapters/testing/contract/samples.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import type { TestCaller } from '../../../local/harness/sign-in.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import list from './list.ts'
import allow from './remove.ts'

const olga = { username: 'olga', role: 'operator' }
const path = { name: 'shop' }

test('200, 204 and 404: lists held-back images, and allows one again', async () => {
  const here = world()
  await givenStack(here)
  const { ports } = here
  const listed = async () => (await call(list, { ports, as: 'viewer', path })).json
  expect(await listed()).toEqual([])
  const digest = `sha256:${'6'.repeat(64)}`
  const { before } = heldBackImage
  const pulled = { ...heldBackImage, digest, before: `nas:5000/team/app@${before}` }
  const heldBack = [pulled, heldBackImage]
  await ports.stacks.replace({ ...present(await ports.stacks.find('shop')), heldBack })
  const { name, deploymentId, at: _, ...rest } = heldBackImage
  const first = {
    ...rest,
    image: name,
    deployment_id: deploymentId,
    at: '1970-01-01T00:00:00.001Z',
  }
  expect(await listed()).toEqual([{ ...first, digest }, first])
  const allows = (as: TestCaller, one: string) =>
    call(allow, { ports, as, path: { ...path, digest: one } })
  expect((await allows('viewer', digest)).status).toBe(403)
  expect((await allows(olga, digest)).status).toBe(204)
  expect((await allows(olga, digest)).status).toBe(404)
  expect((await allows(olga, 'sha256:5')).status).toBe(404)
  expect(await listed()).toEqual([first])
})

test('409: others change the stack all the time', async () => {
  const here = world()
  await givenStack(here)
  const { ports } = here
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, heldBack: [heldBackImage] })
  ports.stacks.replace = async () => undefined
  const allowed = { ...path, digest: heldBackImage.digest }
  expect((await call(allow, { ports, as: olga, path: allowed })).status).toBe(409)
  expect((await call(list, { ports, as: olga, path })).json).toHaveLength(1)
})
