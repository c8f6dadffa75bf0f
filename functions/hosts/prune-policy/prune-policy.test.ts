import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { accountOf, type TestCaller } from '../../../local/harness/sign-in.ts'
import { givenHost, givenStack, type World, world } from '../../../local/harness/world.ts'
import get from './get.ts'
import preview from './preview.ts'
import remove from './remove.ts'
import update from './update.ts'

const olga = { username: 'olga', role: 'operator' }
const path = { id: 'local' }
const weekly = { schedule: '0 4 * * 0', timezone: 'Europe/Berlin', what: 'nameless' }
const none = {
  schedule: null,
  timezone: 'UTC',
  what: 'nameless',
  unused_days: null,
  acts_as: null,
  blocked: null,
  last: null,
  next_at: null,
}

const shown = async ({ ports }: World) => (await call(get, { ports, as: 'viewer', path })).json
const saves = ({ ports }: World, body: object, as: TestCaller = olga, headers = {}) =>
  call(update, { ports, as, path, body, headers })
const previews = (
  { ports }: World,
  query: Record<string, string | number>,
  as: TestCaller = 'viewer',
) => call(preview, { ports, as, path, query })

test('200 and 204: saves, shows and deletes a policy; without one nothing is scheduled', async () => {
  const here = world()
  expect(await shown(here)).toEqual(none)
  const saved = await saves(here, { ...weekly, schedule: ' 0  4 * * 0' })
  expect([saved.status, saved.json]).toEqual([
    200,
    {
      ...weekly,
      unused_days: null,
      acts_as: 'olga',
      blocked: null,
      last: null,
      next_at: expect.anything(),
    },
  ])
  expect(await shown(here)).toEqual(saved.json)
  const again = await saves(here, saved.json, 'admin')
  expect(again.json).toMatchObject({ acts_as: 'admin' })
  const reset = () => call(remove, { ports: here.ports, as: olga, path })
  expect([(await reset()).status, (await reset()).status]).toEqual([204, 204])
  expect(await shown(here)).toEqual(none)
})

test.each([
  [{}, 'schedule'],
  [{ ...weekly, schedule: '61 3 * * *' }, 'schedule'],
  [{ ...weekly, schedule: null }, 'schedule'],
  [{ ...weekly, timezone: 'Berlin' }, 'timezone'],
  [{ ...weekly, what: 'volumes' }, 'what'],
  [{ ...weekly, unused_days: 5 }, 'unused_days'],
  [{ ...weekly, what: 'unused' }, 'unused_days'],
  [{ ...weekly, what: 'unused', unused_days: 0 }, 'unused_days'],
])('400: %j', async (body, field) => {
  const here = world()
  const { status, json } = await saves(here, body, 'admin')
  expect([status, json.error]).toEqual([400, expect.stringContaining(field)])
  expect(await shown(here)).toEqual(none)
})

test('403: who may not prune the host by hand', async () => {
  const here = world()
  const { ports } = here
  await ports.hosts.replace({ ...present(await ports.hosts.find('local')), tags: ['cellar'] })
  const elsewhere = { username: 'eve', role: 'admin', scopeTags: ['lab'] }
  for (const as of ['viewer', elsewhere] as const) {
    expect((await saves(here, weekly, as)).status).toBe(403)
    expect((await call(remove, { ports, as, path })).status).toBe(403)
  }
  const named = await saves(here, { ...weekly, what: 'unused', unused_days: 9 })
  expect([named.status, named.json.error]).toEqual([
    403,
    expect.stringContaining('stacks:privileged'),
  ])
  expect((await call(get, { ports, as: elsewhere, path })).status).toBe(403)
  expect((await previews(here, { what: 'nameless' }, elsewhere)).status).toBe(403)
})

test('404: no host has that id', async () => {
  const { ports } = world()
  const gone = { ports, as: 'admin', path: { id: 'gone' } } as const
  expect((await call(get, gone)).status).toBe(404)
  expect((await call(update, { ...gone, body: weekly })).status).toBe(404)
  expect((await call(remove, gone)).status).toBe(404)
  expect((await call(preview, { ...gone, query: { what: 'nameless' } })).status).toBe(404)
})

test('409: with If-Match, only one of two changes is made', async () => {
  const here = world()
  const { headers } = await saves(here, weekly)
  const match = { 'If-Match': present(headers.etag) }
  const both = await Promise.all([1, 2].map(() => saves(here, weekly, 'admin', match)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const removed = await call(remove, { ports: here.ports, as: olga, path, headers: match })
  expect(removed.status).toBe(409)
})

test('the edition stays the same while only the service changes the policy', async () => {
  const here = world()
  const { headers } = await saves(here, weekly)
  const policy = present(await here.ports.prunePolicies.find('local'))
  const last = { at: 1, removed: 1, reclaimedBytes: 1, error: null }
  await here.ports.prunePolicies.replace({ ...policy, last, nextRunAt: 5 })
  const match = { 'If-Match': present(headers.etag) }
  expect((await saves(here, weekly, olga, match)).json.last).toMatchObject({ removed: 1 })
})

test('200: each host has its own policy, and what an account may do is judged again', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await saves(here, weekly)
  expect((await call(get, { ports, as: 'viewer', path: { id: 'far' } })).json).toEqual(none)
  await ports.accounts.replace({ ...(await accountOf(ports, olga)), disabled: true })
  expect(await shown(here)).toMatchObject({ acts_as: 'olga', blocked: 'account olga is disabled' })
})

test('200: the preview of a policy that is not saved; 400 if it is not said which', async () => {
  const here = world()
  here.engine.state.unnamed.add('sha256:old')
  const { json } = await previews(here, { what: 'nameless' })
  expect([json.images, json.waiting]).toMatchObject([
    [{ id: 'sha256:old', unused_since: null }],
    [],
  ])
  const unused = await previews(here, { what: 'unused', unused_days: 2 })
  expect([unused.json.images, unused.json.waiting.length]).toEqual([[], 2])
  const unclear: Record<string, string | number>[] = [
    {},
    { what: 'unused' },
    { what: 'nameless', unused_days: 3 },
  ]
  for (const query of [...unclear, { what: 'unused', unused_days: 'x' }]) {
    expect((await previews(here, query)).status).toBe(400)
  }
  expect(here.engine.state.unnamed.size).toBe(1)
})

test('a caller who may not read stacks learns that an image stays, not for which stack', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop')
  for (const id of [...engine.state.containers.keys()]) engine.state.containers.delete(id)
  engine.state.touch()
  await ports.roles.create({ id: 'looker', permissions: ['images:read'], createdAt: 1 })
  const query = { what: 'unused', unused_days: 1 }
  const { json } = await previews(here, query, { username: 'eve', role: 'looker' })
  expect(json.kept).toMatchObject([{ reason: 'deployment', stack: null }])
  expect((await previews(here, query)).json.kept).toMatchObject([{ stack: 'shop' }])
})
