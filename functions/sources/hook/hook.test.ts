import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenFollowed, olga, path } from '../../../local/harness/followed-source.ts'
import { limitedToken } from '../../../local/harness/limited-token.ts'
import receive from '../../hooks/receive.ts'
import removeSource from '../remove.ts'
import create from './create.ts'
import get from './get.ts'
import remove from './remove.ts'
import rotate from './rotate.ts'

const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

test('201, 200 and 204: makes, shows, rotates and deletes a hook', async () => {
  const { ports } = await givenFollowed()
  const made = await call(create, { ports, as: olga, path })
  expect([made.status, made.json.last_look]).toEqual([201, null])
  const found = (await call(get, { ports, as: olga, path })).json
  expect(found).toEqual({
    path: expect.stringMatching(/^\/api\/v1\/hooks\/source\.shop\.[\w-]{22}$/),
    acts_as: 'olga',
    blocked: null,
    created_at: expect.anything(),
    is_waiting: false,
    accepted_at: null,
    last_refused: null,
    last_look: null,
  })
  const rotated = await call(rotate, { ports, as: 'admin', path })
  expect([rotated.status, rotated.json.path, rotated.json.acts_as]).toEqual([
    200,
    found.path,
    'admin',
  ])
  const id = found.path.slice('/api/v1/hooks/'.length)
  const send = async (secret: string) =>
    (await call(receive, { ports, path: { id }, headers: { 'x-gitlab-token': secret } })).status
  expect(await send(made.json.secret)).toBe(401)
  expect(await send(rotated.json.secret)).toBe(202)
  expect((await call(remove, { ports, as: olga, path })).status).toBe(204)
  expect(await send(rotated.json.secret)).toBe(401)
  expect((await call(get, { ports, as: olga, path })).status).toBe(404)
})

test('404: a source or a hook that is not there', async () => {
  const { ports } = await givenFollowed()
  for (const name of ['none', 'shop']) {
    for (const endpoint of [get, rotate, remove]) {
      const request = { ports, as: olga, path: { name } } as const
      expect((await call(endpoint as typeof get, request)).status).toBe(404)
    }
  }
  expect((await call(create, { ports, as: olga, path: { name: 'none' } })).status).toBe(404)
})

test('409: a source has one hook', async () => {
  const { ports } = await givenFollowed()
  const statuses = [await call(create, { ports, as: olga, path })]
  statuses.push(await call(create, { ports, as: olga, path }))
  expect(statuses.map(({ status }) => status)).toEqual([201, 409])
})

test('403: a viewer, an account of some hosts, and a token that may do less', async () => {
  const { ports } = await givenFollowed()
  expect((await call(create, { ports, as: 'viewer', path })).status).toBe(403)
  for (const endpoint of [create, get, rotate, remove]) {
    const refused = await call(endpoint as typeof get, { ports, as: limited, path })
    expect([refused.status, refused.json.error]).toEqual([403, expect.any(String)])
  }
  const as = await limitedToken(ports, 'admin', 'operator')
  const refused = await call(create, { ports, as, path })
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('token')])
})

test('a source that gets the name of a deleted one has no hook', async () => {
  const { ports } = await givenFollowed()
  await call(create, { ports, as: olga, path })
  const found = await ports.sources.find('shop')
  if (!found) throw new Error('no source')
  await ports.sources.remove('shop')
  await ports.sources.create({ ...found, createdAt: found.createdAt + 1 })
  expect((await call(get, { ports, as: olga, path })).status).toBe(404)
  expect((await call(create, { ports, as: olga, path })).status).toBe(201)
})

test('the hook of a source that is deleted is deleted with it', async () => {
  const { ports } = await givenFollowed()
  const made = await call(create, { ports, as: olga, path })
  expect(made.status).toBe(201)
  expect((await call(removeSource, { ports, as: olga, path })).status).toBe(204)
  expect(await ports.sourceHooks.list()).toEqual([])
  const headers = { 'x-gitlab-token': made.json.secret }
  const id = made.json.path.slice('/api/v1/hooks/'.length)
  expect((await call(receive, { ports, path: { id }, headers })).status).toBe(401)
})
