import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { readPolicies } from '../core/updates/policy-of.ts'
import updateHost from '../hosts/update.ts'
import showPolicy from '../stacks/update-policy/get.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import list from './list.ts'
import remove from './remove.ts'
import update from './update.ts'

async function given(tags: string[] = []) {
  const here = world()
  await givenStack(here)
  await tag(here, tags)
  return here
}

async function tag({ ports }: World, tags: string[]) {
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags })
}

const saves = ({ ports }: World, of: string, body: object, as: TestCaller = 'admin') =>
  call(update, { ports, as, path: { name: of }, body })
const removes = ({ ports }: World, of: string, as: TestCaller = 'admin') =>
  call(remove, { ports, as, path: { name: of } })
const listed = async ({ ports }: World) => (await call(list, { ports, as: 'admin' })).json
const inherited = async ({ ports }: World) =>
  (await call(showPolicy, { ports, as: 'admin', path: { name: 'shop' } })).json

test('200 and 204: saves, lists and deletes a policy that stacks inherit', async () => {
  const here = await given()
  const window = { schedule: '0 3 * * *', timezone: 'UTC', duration_minutes: 60 }
  const terms = { mode: 'apply', window, minimum_age_hours: 5, watch_minutes: 10 }
  const whole = { of: 'default', ...terms, acts_as: 'admin', blocked: null }
  const saved = await saves(here, 'default', terms)
  expect([saved.status, saved.json]).toEqual([200, whole])
  await saves(here, 'tag:lab', { mode: 'off' })
  expect(await listed(here)).toMatchObject([whole, { of: 'tag:lab', mode: 'off', acts_as: null }])
  expect(await inherited(here)).toMatchObject({ ...terms, source: 'default', acts_as: 'admin' })
  expect((await removes(here, 'default')).status).toBe(204)
  expect(await inherited(here)).toMatchObject({ mode: 'notify', source: 'none', acts_as: null })
})

test('200: that of the stack comes first, then that of a tag of the host, then the default', async () => {
  const here = await given(['lab'])
  await saves(here, 'default', { mode: 'off' })
  expect(await inherited(here)).toMatchObject({ mode: 'off', source: 'default', tag: null })
  await saves(here, 'tag:other', { mode: 'off' })
  await saves(here, 'tag:lab', { mode: 'apply' })
  expect(await inherited(here)).toMatchObject({ mode: 'apply', source: 'tag', tag: 'lab' })
  const path = { name: 'shop' }
  await call(setPolicy, { ports: here.ports, as: 'admin', path, body: { mode: 'notify' } })
  expect(await inherited(here)).toMatchObject({ mode: 'notify', source: 'stack', tag: null })
})

test.each([
  [{ mode: 'apply' }, { mode: 'notify' }, 'notify'],
  [{ mode: 'notify' }, { mode: 'off' }, 'off'],
  [{ mode: 'apply', minimum_age_hours: 1 }, { mode: 'apply' }, 72],
])('200: of two tags, the most careful policy counts: %j, %j', async (one, other, expected) => {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const here = await given(['a', 'b'])
    await saves(here, 'tag:a', a)
    await saves(here, 'tag:b', b)
    const { mode, minimum_age_hours } = await inherited(here)
    expect([mode, minimum_age_hours]).toContain(expected)
  }
})

test.each([
  ['tag:', { mode: 'off' }],
  ['shop', { mode: 'off' }],
  ['tag:No', { mode: 'off' }],
  ['default', {}],
  ['default', { mode: 'apply', except: ['db'] }],
  ['default', { mode: 'apply', after: ['db'] }],
])('400: %s %j', async (of, body) => {
  const here = await given()
  expect((await saves(here, of, body)).status).toBe(400)
  expect(await listed(here)).toEqual([])
})

test('403 and 404: who may not manage settings everywhere, or what there is not', async () => {
  const here = await given(['lab'])
  const limited = { username: 'eve', role: 'admin', scopeTags: ['lab'] }
  for (const as of ['operator', limited] as const) {
    expect((await saves(here, 'default', { mode: 'off' }, as)).status).toBe(403)
    expect((await removes(here, 'default', as)).status).toBe(403)
  }
  expect((await removes(here, 'default')).status).toBe(404)
})

test('409: of two requests at once, one is refused', async () => {
  const here = await given()
  const { find } = here.ports.updatePolicies
  here.ports.updatePolicies.find = async (id) => {
    const found = await find(id)
    here.ports.updatePolicies.find = find
    await saves(here, id, { mode: 'off' })
    return found
  }
  expect((await saves(here, 'default', { mode: 'apply' })).status).toBe(409)
  here.ports.updatePolicies.find = async (id) => {
    const found = await find(id)
    here.ports.updatePolicies.find = find
    await saves(here, id, { mode: 'notify' })
    return found
  }
  expect((await removes(here, 'default')).status).toBe(409)
  expect(await listed(here)).toMatchObject([{ mode: 'notify' }])
})

test('403: whoever may not deploy saves no policy that applies images', async () => {
  const here = await given()
  const as = await givenRole(here, ['settings:manage'])
  const { status, json } = await saves(here, 'default', { mode: 'apply' }, as)
  expect([status, json.error]).toEqual([403, expect.stringContaining('stacks:deploy')])
  expect((await saves(here, 'default', { mode: 'off' }, as)).status).toBe(200)
})

test('403: a tag with a policy is set and taken away only by who may save that policy', async () => {
  const here = await given()
  const { ports } = here
  const as = await givenRole(here, ['hosts:read', 'hosts:manage'])
  const path = { id: 'local' }
  const sets = (tags: string[], by: TestCaller = as) =>
    call(updateHost, { ports, as: by, path, body: { tags } })
  expect((await sets(['lab'])).status).toBe(200)
  await saves(here, 'tag:lab', { mode: 'apply' })
  const refused = await sets([])
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('tag lab')])
  expect((await sets(['lab', 'free'])).status).toBe(200)
  expect((await sets([], 'admin')).status).toBe(200)
  expect((await sets(['lab'])).status).toBe(403)
})

test('a record of a stack without the newer fields inherits, one with a policy does not', async () => {
  const here = await given()
  await saves(here, 'default', { mode: 'apply' })
  const policyOf = await readPolicies(here.ports)
  const {
    updatePolicy: _,
    blockedUpdates: __,
    ...old
  } = present(await here.ports.stacks.find('shop'))
  expect(policyOf(old).source).toBe('default')
  const own = { mode: 'notify' as const, window: null, minimumAgeHours: 72, except: [] }
  expect(policyOf({ ...old, updatePolicy: own })).toMatchObject({ mode: 'notify', source: 'stack' })
})
