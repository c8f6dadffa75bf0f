import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { accountOf, type TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import login from '../auth/login.ts'
import restart from '../containers/restart.ts'
import { serviceRow } from '../core/audit/row.ts'
import type { AuditAction } from '../core/records/audit-actions.ts'
import createUser from '../users/create.ts'
import list from './list.ts'

const show = (request: CallRequest<MemoryPorts> = {}) =>
  call(list, { ...request, route: 'GET /audit' })

/** Sets up rows of two actions and two users, a minute apart. */
async function withRows() {
  const ports = memoryPorts()
  const add = async (action: AuditAction, userId: string | null, hosts: string[] = []) => {
    const row = { id: ports.random.id(), at: ports.clock.now(), action, subject: null, hosts }
    await ports.audit.append(serviceRow({ ...row, outcome: 'succeeded', userId }))
    ports.clock.advance(60_000)
  }
  await add('stacks.deploy', 'u1', ['local'])
  await add('stacks.stop', 'u2', ['far'])
  await add('users.create', 'u1')
  const actions = async (query: Record<string, string>, as: TestCaller = 'admin') =>
    (await show({ ports, as, query })).json.map(({ action }: Json) => action)
  return { ports, actions }
}

test('200: lists the newest rows first and filters by action, user and time', async () => {
  const { ports, actions } = await withRows()
  const now = ports.clock.now()
  expect(await actions({})).toEqual(['users.create', 'stacks.stop', 'stacks.deploy'])
  expect(await actions({ action: 'stacks' })).toEqual(['stacks.stop', 'stacks.deploy'])
  expect(await actions({ action: 'stacks.stop' })).toEqual(['stacks.stop'])
  expect(await actions({ action: 'stack' })).toEqual([])
  expect(await actions({ user_id: 'u1' })).toEqual(['users.create', 'stacks.deploy'])
  expect(await actions({ user_id: 'u1', action: 'users' })).toEqual(['users.create'])
  const since = new Date(now - 120_000).toISOString()
  expect(await actions({ since })).toEqual(['users.create', 'stacks.stop'])
  expect(await actions({ since: String((now - 60_000) / 1000) })).toEqual(['users.create'])
})

test('200: records the names of fields and the values that are not secret', async () => {
  const ports = memoryPorts()
  const body = { username: 'anna', password: 'correct horse battery', role: 'operator' }
  await call(createUser, { ports, as: 'admin', body })
  const { json, text } = await show({ ports, as: 'admin' })
  expect(json).toHaveLength(1)
  expect(json[0]).toMatchObject({
    outcome: 'succeeded',
    status: 201,
    username: 'admin',
    ip: '127.0.0.1',
    request_id: 'test-request',
    user_agent: 'test',
    values: { role: 'operator' },
    fields: ['username', 'password', 'role'],
  })
  expect(text).not.toContain('correct horse')
})

test('200: a failed login names an existing user and never shows the input', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'Anna' })
  for (const username of ['anna', 'correct horse battery']) {
    await call(login, { ports, body: { username, password: 'wrong password' } })
  }
  await ports.audit.flush()
  const { json, text } = await show({ ports, as: 'admin' })
  expect(json).toMatchObject([
    { outcome: 'refused', status: 401, actor: 'nobody', user_id: null, username: null },
    { outcome: 'refused', status: 401, actor: 'user', user_id: id, username: 'Anna' },
  ])
  expect(text).not.toContain('correct horse')
})

test('200: each row lists the hosts concerned', async () => {
  const here = world()
  await givenStack(here)
  const container = present([...here.engine.state.containers.values()][0])
  await call(restart, { ports: here.ports, as: 'admin', path: { id: container.id } })
  const { json } = await show({ ports: here.ports, as: 'admin' })
  expect(json.map((row: Json) => row.hosts)).toEqual([['local'], ['local'], ['local']])
})

test('200: callers with scope tags see rows about their hosts and their own actions', async () => {
  const { ports, actions } = await withRows()
  await givenHost({ ports }, 'far', { tags: ['far'] })
  const as = { username: 'lab', role: 'admin', scopeTags: ['far'] }
  expect(await actions({}, as)).toEqual(['stacks.stop'])
  const { id } = await accountOf(ports, as)
  const row = { id: 'own', at: ports.clock.now(), action: 'me.password.update' as const }
  await ports.audit.append(serviceRow({ ...row, subject: null, outcome: 'succeeded', userId: id }))
  expect(await actions({}, as)).toEqual(['me.password.update', 'stacks.stop'])
  expect(await actions({ user_id: 'u1' }, as)).toEqual([])
})

test('200: returns at most 1000 rows and reports the truncation', async () => {
  const ports = memoryPorts()
  const rows = Array.from({ length: 1001 }, (_, index) =>
    serviceRow({ id: `${index}`, at: 1, action: 'users.update', outcome: 'begun', subject: null }),
  )
  await Promise.all(rows.map((row) => ports.audit.append(row)))
  const { json, headers } = await show({ ports, as: 'admin' })
  expect(json).toHaveLength(1000)
  expect(headers['x-result-truncated']).toBe('true')
  const before = json.at(-1).sequence
  expect(headers.link).toBe(`<?before=${before}>; rel="next"`)
  const rest = await show({ ports, as: 'admin', query: { before } })
  expect(rest.json.map(({ id }: Json) => id)).toEqual(['0'])
  expect(rest.headers).not.toHaveProperty('link')
})

test('200: reads on where a filter examined many rows and found none', async () => {
  const ports = memoryPorts()
  const row = (id: string, action: AuditAction) =>
    serviceRow({ id, at: 1, action, outcome: 'succeeded', subject: null })
  await ports.audit.append(row('first', 'stacks.deploy'))
  await Promise.all(
    Array.from({ length: 20_000 }, (_, index) =>
      ports.audit.append(row(`${index}`, 'users.update')),
    ),
  )
  const first = await show({ ports, as: 'admin', query: { action: 'stacks.deploy' } })
  expect(first.json).toEqual([])
  const [, before = ''] = present(/before=(\d+)/.exec(first.headers.link ?? ''))
  const second = await show({ ports, as: 'admin', query: { action: 'stacks.deploy', before } })
  expect(second.json.map(({ id }: Json) => id)).toEqual(['first'])
})

test('200: a part that begins within a change does not repeat its beginning', async () => {
  const ports = memoryPorts()
  const add = (id: string, outcome: 'begun' | 'succeeded') =>
    ports.audit.append(serviceRow({ id, at: 1, action: 'users.update', outcome, subject: null }))
  await add('old', 'succeeded')
  await add('long', 'begun')
  await add('short', 'succeeded')
  await add('long', 'succeeded')
  const all = (await show({ ports, as: 'admin' })).json
  expect(all.map(({ id }: Json) => id)).toEqual(['long', 'short', 'old'])
  const query = { before: all[1].sequence }
  const rest = (await show({ ports, as: 'admin', query })).json
  expect(rest.map(({ id }: Json) => id)).toEqual(['old'])
})

test('400: invalid action, time or parameter', async () => {
  for (const query of [{ action: 'Stacks' }, { action: '.' }, { since: 'then' }, { before: 'x' }]) {
    expect((await show({ as: 'admin', query })).status).toBe(400)
  }
})

test('200: a created user is named with id and name', async () => {
  const ports = memoryPorts()
  const body = { username: 'anna', password: 'correct horse battery', role: 'operator' }
  const made = await call(createUser, { ports, as: 'admin', body, route: 'POST /users' })
  const { json } = await show({ ports, as: 'admin' })
  expect(json[0].subject).toEqual({ kind: 'users', id: made.json.id, name: 'anna' })
})

test('200: times never go back along the sequence, whatever the clocks of processes', async () => {
  const ports = memoryPorts()
  const now = ports.clock.now()
  for (const skew of [0, 60_000, -3_600_000, 1000, 90_000]) {
    const row = { id: ports.random.id(), at: now + skew, action: 'users.update' as const }
    await ports.audit.append(serviceRow({ ...row, subject: null, outcome: 'succeeded' }))
  }
  const { json } = await show({ ports, as: 'admin' })
  expect(json.map(({ sequence }: Json) => sequence)).toEqual([5, 4, 3, 2, 1])
  const times = json.map(({ time }: Json) => Date.parse(time) - now)
  expect(times).toEqual([90_000, 60_000, 60_000, 60_000, 0])
  const since = new Date(now + 60_000).toISOString()
  expect((await show({ ports, as: 'admin', query: { since } })).json).toHaveLength(4)
})
