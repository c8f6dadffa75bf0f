import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import createHost from '../hosts/create.ts'
import updateHost from '../hosts/update.ts'
import createStack from '../stacks/create.ts'
import updateStack from '../stacks/update.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import update from './update.ts'

const body = { name: 'home', variables: { TZ: 'Europe/Oslo', SMTP_PASSWORD: 'hunter2' } }
const path = { name: 'home' }
const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

/** A world with a set, and a host that has the tag `lab`. */
async function given(more: object = {}) {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  const made = await call(create, { ports, as: 'admin', body: { ...body, ...more } })
  return { ports, made }
}

const compose = 'services: {web: {image: "busybox:latest", environment: {ZONE: "$TZ"}}}'

/** Creates a stack on `local` that takes the set. */
const taking = ({ ports }: Awaited<ReturnType<typeof given>>) =>
  call(createStack, {
    ports,
    as: 'admin',
    body: { name: 'shop', compose, shared_variables: ['home'] },
  })

test('201: creates a set and never returns its values', async () => {
  const { ports, made } = await given()
  expect([made.status, made.headers.location]).toEqual([201, '/api/v1/variables/home'])
  expect(made.json).toMatchObject({ name: 'home', tags: [], stacks: [] })
  expect(made.json.variable_names).toEqual(['TZ', 'SMTP_PASSWORD'])
  const got = await call(get, { ports, as: 'viewer', path })
  const listed = await call(list, { ports, as: 'viewer' })
  expect([got.status, got.json, listed.json]).toEqual([200, made.json, [made.json]])
  expect(made.text + got.text + listed.text).not.toContain('hunter2')
})

test('200: changes and deletes variables, and keeps others', async () => {
  const { ports } = await given()
  ports.clock.advance(1000)
  const change = { tags: ['lab'], variables: { TZ: 'UTC', SMTP_PASSWORD: null, NEW: '' } }
  const changed = await call(update, { ports, as: 'admin', path, body: change })
  expect(changed.status).toBe(200)
  expect(changed.json).toMatchObject({ tags: ['lab'], variable_names: ['TZ', 'NEW'] })
  const { variables } = present(await ports.variableSets.find('home'))
  expect(Object.entries(variables).map(([name, { value }]) => [name, value])).toEqual([
    ['TZ', 'UTC'],
    ['NEW', ''],
  ])
})

test('200: a response can be sent back', async () => {
  const { ports, made } = await given()
  const sent = await call(update, { ports, as: 'admin', path, body: made.json })
  expect([sent.status, sent.json.variable_names]).toEqual([200, made.json.variable_names])
})

test('200: a set says which stacks take it', async () => {
  const here = await given()
  expect((await taking(here)).status).toBe(201)
  const { ports } = here
  expect((await call(get, { ports, as: 'admin', path })).json.stacks).toEqual(['shop'])
  const [listed] = (await call(list, { ports, as: 'admin' })).json
  expect(listed.stacks).toEqual(['shop'])
})

test('204: deletes a set', async () => {
  const { ports } = await given()
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect((await call(list, { ports, as: 'admin' })).json).toEqual([])
})

test.each(['9A', 'A-B', '', 'COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME', 'DOCKER_HOST', 'HOME'])(
  '400: %j cannot be the name of a variable',
  async (name) => {
    const { ports } = await given()
    const variables = { [name]: 'x' }
    const made = await call(create, { ports, as: 'admin', body: { name: 'other', variables } })
    const changed = await call(update, { ports, as: 'admin', path, body: { variables } })
    expect([made.status, changed.status]).toEqual([400, 400])
  },
)

test('400: the name differs, or the set would be too large', async () => {
  const { ports } = await given()
  const renamed = await call(update, { ports, as: 'admin', path, body: { name: 'other' } })
  expect([renamed.status, renamed.json.error]).toEqual([
    400,
    'body.name: cannot be changed: create another set instead',
  ])
  const variables = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`V${at}`, 'x'.repeat(16_000)]),
  )
  expect((await call(update, { ports, as: 'admin', path, body: { variables } })).status).toBe(400)
})

test('403: only who manages variables on every host may write, with stacks:privileged', async () => {
  const { ports } = await given()
  const manager = await givenRole({ ports }, ['variables:manage', 'stacks:read'])
  for (const as of ['operator' as const, limited, manager]) {
    const other = { ...body, name: 'other' }
    expect((await call(create, { ports, as, body: other })).status).toBe(403)
    expect((await call(update, { ports, as, path, body: {} })).status).toBe(403)
    expect((await call(remove, { ports, as, path })).status).toBe(403)
  }
  const { json } = await call(update, { ports, as: manager, path, body: {} })
  expect(json.error).toBe('variables exceeds your permissions: stacks:privileged')
})

test('403: an account that is limited to other hosts does not see a set', async () => {
  const { ports } = await given({ tags: ['office'] })
  expect((await call(get, { ports, as: limited, path })).status).toBe(403)
  expect((await call(list, { ports, as: limited })).json).toEqual([])
  await call(update, { ports, as: 'admin', path, body: { tags: ['lab', 'office'] } })
  const seen = await call(get, { ports, as: limited, path })
  expect([seen.status, seen.json.tags]).toEqual([200, ['lab']])
})

test('404: there is no such set', async () => {
  const { ports } = await given()
  const none = { name: 'none' }
  expect((await call(get, { ports, as: 'admin', path: none })).status).toBe(404)
  expect((await call(update, { ports, as: 'admin', path: none, body: {} })).status).toBe(404)
  const gone = await call(remove, { ports, as: 'admin', path: none })
  expect([gone.status, gone.json.error]).toEqual([404, 'variables none: there is no such set'])
})

test('409: the name is taken, or another request changes the set', async () => {
  const { ports } = await given()
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(409)
  ports.variableSets.replace = async () => undefined
  expect((await call(update, { ports, as: 'admin', path, body: {} })).status).toBe(409)
})

test('409: a set that a stack takes is not deleted', async () => {
  const here = await given()
  await taking(here)
  const { ports } = here
  const refused = await call(remove, { ports, as: 'admin', path })
  expect([refused.status, refused.json.error]).toEqual([
    409,
    "variables home: stack shop takes this set: first leave it out of the stack's `shared_variables`",
  ])
  const leave = { ports, as: 'admin' as const, path: { name: 'shop' } }
  await call(updateStack, { ...leave, body: { shared_variables: [] } })
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
})

test('403: a tag of a set is given to a host only by who manages variables', async () => {
  const { ports } = await given({ tags: ['office'] })
  const as = await givenRole({ ports }, ['hosts:manage'])
  const tagged = (tags: string[], caller: typeof as | 'admin') =>
    call(updateHost, { ports, as: caller, path: { id: 'local' }, body: { tags } })
  const refused = await tagged(['office'], as)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'tag office: a set of variables for its hosts exceeds your permissions: variables:manage',
  ])
  expect((await tagged(['other'], as)).status).toBe(200)
  expect((await tagged(['office', 'other'], 'admin')).status).toBe(200)
  expect((await tagged(['other'], as)).status).toBe(403)
  const body = { name: 'nas', tags: ['office'] }
  expect((await call(createHost, { ports, as, body })).status).toBe(403)
})
