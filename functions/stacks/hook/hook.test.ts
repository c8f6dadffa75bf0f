import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenHook, olga, path } from '../../../local/harness/hooks.ts'
import { limitedToken } from '../../../local/harness/limited-token.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import receive from '../../hooks/receive.ts'
import forget from '../forget.ts'
import removeStack from '../remove.ts'
import create from './create.ts'
import get from './get.ts'
import remove from './remove.ts'
import rotate from './rotate.ts'

test('201, 200 and 204: makes, shows, rotates and deletes a hook', async () => {
  const { here, secret, id } = await givenHook()
  const { ports } = here
  const found = (await call(get, { ports, as: olga, path })).json
  expect(found).toEqual({
    path: `/api/v1/hooks/${id}`,
    acts_as: 'olga',
    blocked: null,
    created_at: expect.anything(),
    is_waiting: false,
    accepted_at: null,
    last_refused: null,
    last_deployment: null,
  })
  expect(id).toMatch(/^shop\.[\w-]{22}$/)
  const rotated = await call(rotate, { ports, as: 'admin', path })
  expect([rotated.status, rotated.json.path, rotated.json.acts_as]).toEqual([
    200,
    found.path,
    'admin',
  ])
  expect(rotated.json.secret).not.toBe(secret)
  expect(
    (await call(receive, { ports, path: { id }, headers: { 'x-gitlab-token': secret } })).status,
  ).toBe(401)
  expect((await call(remove, { ports, as: olga, path })).status).toBe(204)
  expect((await call(get, { ports, as: olga, path })).status).toBe(404)
})

test('404: a stack or a hook that is not there', async () => {
  const here = world()
  await givenStack(here)
  for (const name of ['none', 'shop']) {
    for (const endpoint of [get, rotate, remove]) {
      const request = { ports: here.ports, as: olga, path: { name } } as const
      expect((await call(endpoint as typeof get, request)).status).toBe(404)
    }
  }
  const none = await call(create, { ports: here.ports, as: olga, path: { name: 'none' } })
  expect(none.status).toBe(404)
})

test('409: a stack has one hook', async () => {
  const { here } = await givenHook()
  expect((await call(create, { ports: here.ports, as: olga, path })).status).toBe(409)
})

test('403: a viewer, and a token that may do less than its account', async () => {
  const here = world()
  await givenStack(here)
  const { ports } = here
  expect((await call(create, { ports, as: 'viewer', path })).status).toBe(403)
  const as = await limitedToken(ports, 'admin', 'operator')
  const refused = await call(create, { ports, as, path })
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('token')])
})

test.each([
  ['deleted', removeStack],
  ['forgotten', forget],
] as const)('the hook of a stack that is %s is deleted with it', async (_, endpoint) => {
  const { here, secret, id } = await givenHook()
  const { ports } = here
  const ended = await call(endpoint as typeof removeStack, { ports, as: 'admin', path })
  expect(ended.status).toBe(204)
  expect(await ports.stackHooks.list()).toEqual([])
  const headers = { 'x-gitlab-token': secret }
  expect((await call(receive, { ports, path: { id }, headers })).status).toBe(401)
})
