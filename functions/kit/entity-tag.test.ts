import { expect, test } from 'vitest'
import { z } from 'zod'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from './endpoint.ts'
import { entityTag, isKnown, removeMatching } from './entity-tag.ts'
import { versioned } from './reply.ts'

const list = endpoint({
  summary: 'List the roles',
  access: 'roles:manage',
  returns: z.array(z.string()).max(9),
  run: async (_input, { roles }: Needs<'roles'>) => (await roles.list()).map(({ id }) => id),
})
const path = z.object({ name: z.string() })
const show = endpoint({
  summary: 'Show a role',
  access: 'roles:manage',
  path,
  returns: z.object({ permissions: z.array(z.string()).max(9), at: z.number() }),
  errors: { 404: 'gone' },
  async run({ path }, { roles, clock }: Needs<'roles' | 'clock'>) {
    const role = await roles.find(path.name)
    if (!role) throw notFound('there is no such role')
    return versioned({ permissions: role.permissions, at: clock.now() }, role.revision)
  },
})
const remove = endpoint({
  summary: 'Delete a role',
  access: 'roles:manage',
  path,
  takesIfMatch: true,
  errors: { 404: 'gone' },
  async run({ path, ifMatch }, { roles }: Needs<'roles'>) {
    const role = await roles.find(path.name)
    if (!role) throw notFound('there is no such role')
    ifMatch.check(role.revision)
    await beforeRemoval()
    await removeMatching(role, roles, ifMatch)
    return undefined
  },
})
/** What another request does between the check and the removal. */
let beforeRemoval = async () => {}

const cook = { id: 'cook', permissions: ['stacks:read' as const], createdAt: 0 }

async function world() {
  beforeRemoval = async () => {}
  const ports = memoryPorts()
  await ports.roles.create(cook)
  const ask = (method: string, more: Omit<CallRequest<Needs<'roles'>>, 'ports'> = {}) => {
    return call(list, { ports, as: 'admin', route: `${method} /roles`, ...more })
  }
  const one = { ports, as: 'admin' as const, path: { name: 'cook' } }
  const read = (headers = {}) => call(show, { ...one, route: 'GET /roles/{name}', headers })
  const drop = (match?: string) =>
    call(remove, {
      ...one,
      route: 'DELETE /roles/{name}',
      headers: match === undefined ? {} : { 'If-Match': match },
    })
  return { ports, ask, read, drop }
}

test('304: what the client has already', async () => {
  const { ports, ask } = await world()
  const first = await ask('GET')
  const etag = present(first.headers.etag)
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, text, headers } = await ask('GET', { headers: { 'If-None-Match': known } })
    expect([known, status, text]).toEqual([known, 304, ''])
    expect(headers).toMatchObject({ etag, 'x-request-id': 'test-request' })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('content-type')
  }
  for (const other of ['"other"', etag.slice(1, -1), '']) {
    const { status, headers } = await ask('GET', { headers: { 'If-None-Match': other } })
    expect([other, status, headers.etag]).toEqual([other, 200, etag])
  }
  await ports.roles.create({ id: 'guest', permissions: [], createdAt: 0 })
  const changed = await ask('GET', { headers: { 'If-None-Match': etag } })
  expect([changed.status, changed.json]).toEqual([200, ['cook', 'guest']])
})

test('401 and 403 come before 304', async () => {
  const { ask } = await world()
  const headers = { 'If-None-Match': '*' }
  expect((await ask('GET', { as: undefined, headers })).status).toBe(401)
  expect((await ask('GET', { as: 'viewer', headers })).status).toBe(403)
})

test('200: what was not read has no ETag', async () => {
  const { ask } = await world()
  const { status, headers } = await ask('POST', { headers: { 'If-None-Match': '*' } })
  expect([status, headers.etag]).toEqual([200, undefined])
})

test('204: changes what the client read, although another value changed by itself', async () => {
  const { ports, read, drop } = await world()
  const etag = present((await read()).headers.etag)
  ports.clock.advance(1)
  expect((await read({ 'If-None-Match': etag })).status).toBe(200)
  expect((await drop(`"other-0", W/${etag}`)).status).toBe(204)
  expect(await ports.roles.list()).toEqual([])
})

test.each([[undefined], ['*']])('204: If-Match %j accepts any version', async (match) => {
  const { ports, drop } = await world()
  expect((await drop(match)).status).toBe(204)
  expect(await ports.roles.list()).toEqual([])
  expect((await drop(match)).status).toBe(404)
})

test('409: someone changed it since', async () => {
  const { ports, read, drop } = await world()
  const etag = present((await read()).headers.etag)
  await ports.roles.replace(present(await ports.roles.find('cook')))
  for (const stale of [etag, '"1"', '"other-1"', '""']) {
    const { status, headers, json } = await drop(stale)
    expect([stale, status, headers['x-error-reason']]).toEqual([stale, 409, 'stale-revision'])
    expect(json.error).toContain('Read it again')
  }
  expect(await ports.roles.list()).toHaveLength(1)
})

test('409: someone changes it between the check and the removal', async () => {
  const { ports, read, drop } = await world()
  const etag = present((await read()).headers.etag)
  beforeRemoval = async () => {
    await ports.roles.replace(present(await ports.roles.find('cook')))
  }
  expect((await drop(etag)).status).toBe(409)
  expect(await ports.roles.list()).toHaveLength(1)
  expect((await drop()).status).toBe(204)
})

test.each(['1-a', '"a', '"a" "b"', '"a",', 'w/"a"', ''])('400: If-Match %j', async (match) => {
  const { ports, drop } = await world()
  expect((await drop(match)).status).toBe(400)
  expect(await ports.roles.list()).toHaveLength(1)
})

test('400: If-Match where no version is compared, except for a read', async () => {
  const { ask } = await world()
  const headers = { 'If-Match': '"a-b"' }
  const { status, json } = await ask('PUT', { headers })
  expect([status, json.error]).toEqual([400, expect.stringContaining('If-Match')])
  expect((await ask('GET', { headers })).status).toBe(200)
})

test('a page that a proxy compressed is known', () => {
  expect(isKnown(`W/${entityTag('a', 1)}`, entityTag('a', 1))).toBe(true)
  expect(isKnown(undefined, entityTag('a', 1))).toBe(false)
})
