import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type MemoryPorts, memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, type CallResult, call } from '../../local/harness/call.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import { makeApiToken } from '../core/access/api-token.ts'
import { keysPerDay } from '../core/access/daily-keys.ts'
import { conflict, internalError, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Account } from '../core/records/account.ts'
import type { Permission } from '../core/records/permissions.ts'
import { endpoint } from './endpoint.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import { Reply } from './reply.ts'
import { operationFailure, operationIdHeader } from './wait.ts'

const day = 86_400_000

type Run = (times: number) => unknown | Promise<unknown>
type Facts = Pick<EndpointFacts, 'responseHeaders' | 'returnsSecret' | 'takesIfMatch'>

/** Makes roles, and counts how often it ran. */
function makerOf(run: Run, facts: Facts) {
  let times = 0
  const maker = endpoint({
    summary: 'Create a role',
    access: 'roles:manage',
    path: z.object({ name: z.string() }),
    query: z.object({ soft: z.string().optional() }),
    body: z.strictObject({ size: z.int(), text: z.string().optional() }),
    returns: z.object({ id: z.string(), times: z.number(), text: z.string().optional() }),
    status: 201,
    responseHeaders: { Location: 'Where the role is' },
    errors: { 404: 'gone', 409: 'busy' },
    ...facts,
    async run({ path, body }, { roles }: Needs<'roles'>) {
      times += 1
      const count = times
      await run(count)
      await roles.create({ id: `${path.name}-${count}`, permissions: [], createdAt: 0 })
      const headers = { Location: `/roles/${path.name}` }
      return new Reply({ id: path.name, times: count, text: body.text }, { headers })
    },
  })
  return { maker, times: () => times }
}

type Given = Partial<CallRequest<Needs<'roles'>>> & { key?: string }

/** A world whose requests have the same API token. */
function world(run: Run = () => undefined, facts: Facts = {}) {
  const ports = memoryPorts()
  const made = makerOf(run, facts)
  const owner = accountOf(ports, { role: 'admin' })
  const apiToken = owner.then(({ id }) => apiTokenOf(id, 'usual', ports))
  const send = async ({ key = 'key-1', ...given }: Given = {}) =>
    call(made.maker, {
      ports,
      as: { token: await apiToken },
      route: 'POST /roles/{name}',
      path: { name: 'cook' },
      body: { size: 1 },
      headers: { 'Idempotency-Key': key },
      ...given,
    })
  /** Changes the account of the API token. */
  const changeOwner = async (change: Partial<Account>) => {
    const account = present(await ports.accounts.find((await owner).id))
    await ports.accounts.replace({ ...account, ...change })
  }
  return { ports, ...made, send, changeOwner }
}

const rolesOf = async ({ ports }: Pick<ReturnType<typeof world>, 'ports'>) =>
  (await ports.roles.list()).map(({ id }) => id)

test('201: the same request again gets the first response, and does not run', async () => {
  const { send, times, ...here } = world()
  const first = await send()
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])
  const again = await send()
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers).toEqual({ ...first.headers, 'idempotency-replayed': 'true' })
  expect(again.headers.location).toBe('/roles/cook')
  expect([times(), await rolesOf(here)]).toEqual([1, ['cook-1']])
})

test('a replay is in no audit row, as it changes nothing', async () => {
  const { send, ports } = world()
  await send()
  const rows = async () => (await ports.audit.list({ limit: 99 })).rows.length
  const before = await rows()
  expect(before).toBeGreaterThan(0)
  await send()
  expect(await rows()).toBe(before)
})

test('201: without a key, and with another one, it runs again', async () => {
  const { send, times } = world()
  await send()
  await send({ key: 'key-2' })
  await send({ headers: {} })
  expect(times()).toBe(3)
})

test('409: the key of another request', async () => {
  const { send, times } = world()
  await send()
  for (const other of [
    { body: { size: 2 } },
    { path: { name: 'guest' } },
    { query: { soft: 'true' } },
    { route: 'POST /others/{name}' },
  ]) {
    const { status, headers, json } = await send(other)
    expect([status, headers['x-error-reason']]).toEqual([409, 'conflict'])
    expect(json.error).toContain('Use a new key')
  }
  expect(times()).toBe(1)
})

test('409: the key of a request for another version', async () => {
  const { send, times } = world(() => undefined, { takesIfMatch: true })
  const versionOf = (tag: string) => ({ 'Idempotency-Key': 'key-1', 'If-Match': `"${tag}-0"` })
  await send({ headers: versionOf('1') })
  for (const headers of [versionOf('2'), { 'Idempotency-Key': 'key-1' }]) {
    expect((await send({ headers })).json.error).toContain('Use a new key')
  }
  expect((await send({ headers: versionOf('1') })).headers['idempotency-replayed']).toBe('true')
  expect(times()).toBe(1)
})

test('the order of the fields and spaces make no other request', async () => {
  const { send, times } = world()
  await send({ body: { size: 1, text: 'a' } })
  const { status } = await send({ body: undefined, rawBody: '{ "text": "a", "size": 1 }' })
  expect([status, times()]).toEqual([201, 1])
})

test('each session and each API token has keys of its own', async () => {
  const { send, ports, times } = world()
  const { id: accountId } = await accountOf(ports, { role: 'admin', username: 'ada' })
  const callers = [{ username: 'ada' }, { username: 'ada' }, { username: 'grace', role: 'admin' }]
  const sessions = await Promise.all(callers.map((caller) => signIn(ports, caller)))
  const tokens = await Promise.all(['one', 'two'].map((id) => apiTokenOf(accountId, id, ports)))
  for (const token of [...sessions, ...tokens]) {
    const { headers } = await send({ as: { token } })
    expect(headers).not.toHaveProperty('idempotency-replayed')
    expect((await send({ as: { token } })).headers['idempotency-replayed']).toBe('true')
  }
  expect(times()).toBe(5)
})

test('a new access token of the same session has the same keys', async () => {
  const { send, ports, times } = world()
  const token = await signIn(ports, 'admin')
  await send({ as: { token } })
  const claims = present(await ports.accessTokens.verify(token))
  const next = await ports.accessTokens.issue({ ...claims, tokenId: 'next' })
  expect((await send({ as: { token: next } })).headers['idempotency-replayed']).toBe('true')
  expect(times()).toBe(1)
})

test.each([
  ['role', { role: 'chef' }],
  ['scope', { scopeTags: ['lab'] }],
])('409: the %s of the account was changed since the first request', async (_, change) => {
  const { send, ports, times, changeOwner } = world()
  await ports.roles.create({ id: 'chef', permissions: ['roles:manage'], createdAt: 0 })
  await send()
  await changeOwner(change)
  const { status, headers, json, text } = await send()
  expect([status, headers['x-error-reason']]).toEqual([409, 'conflict'])
  expect(json.error).toContain('your rights were changed')
  expect(text).not.toContain('cook')
  expect(times()).toBe(1)
  await changeOwner({ role: 'admin', scopeTags: [] })
  expect((await send()).headers['idempotency-replayed']).toBe('true')
})

test('409: a permission of the role was removed since the first request', async () => {
  const { send, ports, times } = world()
  const permissions: Permission[] = ['roles:manage', 'users:manage']
  await ports.roles.create({ id: 'chef', permissions, createdAt: 0 })
  const as = { token: await signIn(ports, { username: 'ada', role: 'chef' }) }
  await send({ as })
  const role = present(await ports.roles.find('chef'))
  await ports.roles.replace({ ...role, permissions: ['roles:manage'] })
  expect((await send({ as })).json.error).toContain('your rights were changed')
  expect(times()).toBe(1)
})

test('409: a response with a secret is not kept, and says what was made', async () => {
  const { send, ports, times } = world(() => undefined, { returnsSecret: true })
  const ended = watchEnds(ports)
  const body = { size: 1, text: 'the-secret' }
  expect((await send({ body })).text).toContain('the-secret')
  expect(ended).toHaveLength(1)
  expect(JSON.stringify(ended)).not.toContain('the-secret')
  const { status, headers, json } = await send({ body })
  expect([status, headers['x-error-reason']]).toEqual([409, 'conflict'])
  expect(json.error).toMatch(/answered with 201.*secret.*\/roles\/cook/s)
  expect(headers).not.toHaveProperty('idempotency-replayed')
  expect(times()).toBe(1)
})

test('409: the error of an endpoint with a secret is kept', async () => {
  const failing = () => {
    throw conflict('the name is taken', { reason: 'exists' })
  }
  const { send } = world(failing, { returnsSecret: true })
  const first = await send()
  const again = await send()
  expect([again.status, again.text]).toEqual([409, first.text])
  expect(again.headers['idempotency-replayed']).toBe('true')
})

/** Returns the responses that the store is given, as they come. */
function watchEnds({ idempotentRequests }: MemoryPorts) {
  const ended: unknown[] = []
  const { replace } = idempotentRequests
  idempotentRequests.replace = async (request) => {
    if (request.response) ended.push(request.response)
    return replace(request)
  }
  return ended
}

async function apiTokenOf(accountId: string, id: string, ports: MemoryPorts) {
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const about = { id, accountId, name: id, prefix: 'cst_', scopeTags: [], hash }
  await ports.apiTokens.create({ ...about, createdAt: 0, expiresAt: null, lastUsedAt: null })
  return token
}

test('409: the first request is still running, at the same time', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { send, times, ports } = world(() => running)
  const first = send()
  await expect.poll(times).toBe(1)
  const second = await send()
  expect([second.status, second.headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
  // Its process says every ten seconds that it still runs.
  for (let rounds = 0; rounds < 12; rounds += 1) {
    ports.clock.advance(10_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await send()).headers['x-error-reason']).toBe('lease-held')
  finish()
  expect((await first).status).toBe(201)
  expect((await send()).headers['idempotency-replayed']).toBe('true')
  expect(times()).toBe(1)
})

test('twenty at once: one runs', async () => {
  const { send, times } = world(() => new Promise((resolve) => setImmediate(resolve)))
  const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
  expect(times()).toBe(1)
  for (const { status, headers } of answers) {
    expect(status === 201 || headers['x-error-reason'] === 'lease-held').toBe(true)
  }
})

test('409: the process of the first request ended in the middle; it never runs again', async () => {
  const { send, times, ports } = world()
  const { replace } = ports.idempotentRequests
  ports.idempotentRequests.replace = async () => {
    throw new Error('the process was killed')
  }
  await send()
  ports.idempotentRequests.replace = replace
  expect((await send()).headers['x-error-reason']).toBe('lease-held')
  ports.clock.advance(30_000)
  const { status, headers, json } = await send()
  expect([status, headers['x-error-reason']]).toEqual([409, 'outcome-unknown'])
  expect(headers).not.toHaveProperty('retry-after')
  expect(json.error).toMatch(/unknown.*test-request/s)
  expect(times()).toBe(1)
})

test('500 is not kept: the request runs again', async () => {
  const { send, times } = world((count) => {
    if (count === 1) throw internalError('the store did not respond')
  })
  expect((await send()).status).toBe(500)
  expect((await send()).status).toBe(201)
  expect(times()).toBe(2)
})

test('500 of a change that was made is kept: it never runs again', async () => {
  const { send, times, ports, ...here } = world()
  const { append } = ports.audit
  ports.audit.append = async (row) => {
    if (row.outcome === 'succeeded') throw new Error('the store is full')
    return append(row)
  }
  const first = await send()
  expect([first.status, first.json.error]).toEqual([500, expect.stringContaining('succeeded')])
  ports.audit.append = append
  const again = await send()
  expect([again.status, again.text]).toEqual([500, first.text])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect([times(), await rolesOf({ ports, ...here })]).toEqual([1, ['cook-1']])
})

test('500 of an operation that ran and failed is kept, also if something was busy', async () => {
  const failing = () => {
    throw operationFailure('op-1', 500, 'stack shop: it is busy', { reason: 'engine-busy' })
  }
  const operation = { description: 'Id of the operation', statuses: [500] }
  const { send, times } = world(failing, { responseHeaders: { [operationIdHeader]: operation } })
  const first = await send()
  expect([first.status, first.headers['x-error-reason']]).toEqual([500, 'engine-busy'])
  const again = await send()
  expect([again.status, again.text]).toEqual([500, first.text])
  expect(again.headers).toMatchObject({ 'x-operation-id': 'op-1', 'idempotency-replayed': 'true' })
  expect(times()).toBe(1)
})

test('409 is kept, unless something was only busy', async () => {
  const busy = world(() => {
    throw conflict('it runs', { reason: 'lease-held' })
  })
  await busy.send()
  await busy.send()
  expect(busy.times()).toBe(2)
  const taken = world(() => {
    throw conflict('the name is taken', { reason: 'exists' })
  })
  const [first, again] = [await taken.send(), await taken.send()]
  expect(taken.times()).toBe(1)
  expect([again.status, again.text]).toEqual([409, first.text])
  expect(again.headers['x-error-reason']).toBe('exists')
  expect(again.headers['idempotency-replayed']).toBe('true')
})

test.each([
  ['404', notFound('there is no such thing')],
  ['400', invalid('body.size: is too large')],
])('%s is not kept: the request runs again', async (status, failure) => {
  const { send, times } = world((count) => {
    if (count === 1) throw failure
  })
  expect((await send()).status).toBe(Number(status))
  expect((await send()).status).toBe(201)
  expect(times()).toBe(2)
})

test('401 and 403: a replay needs a credential and the permission as they are now', async () => {
  const { send, times, changeOwner } = world()
  await send()
  expect((await send({ as: undefined })).status).toBe(401)
  expect((await send({ as: 'viewer' })).status).toBe(403)
  await changeOwner({ role: 'viewer' })
  expect((await send()).status).toBe(403)
  expect(times()).toBe(1)
})

test('400: an invalid request takes no key', async () => {
  const { send, times } = world()
  expect((await send({ body: { size: 'no' } })).status).toBe(400)
  expect((await send()).status).toBe(201)
  expect(times()).toBe(1)
})

test.each(['', ' ', 'a b', 'ä', 'a'.repeat(256)])('400: the key %j', async (key) => {
  const { send, times } = world()
  const { status, json } = await send({ key })
  expect([status, json.error]).toEqual([400, expect.stringContaining('Idempotency-Key')])
  expect(times()).toBe(0)
})

test('201: after a day the key is free', async () => {
  const { send, times, ports } = world()
  await send()
  ports.clock.advance(day)
  const { headers } = await send()
  expect(headers).not.toHaveProperty('idempotency-replayed')
  expect(times()).toBe(2)
})

/** Returns a run whose first time lasts until `finish` is called. */
function firstHeld() {
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { run: (count: number) => (count === 1 ? held : undefined), finish }
}

test('409: a request that runs for longer than a day is still running', async () => {
  const { run, finish } = firstHeld()
  const { send, times, ports } = world(run)
  const first = send()
  await expect.poll(times).toBe(1)
  for (const hours of [20, 20]) {
    ports.clock.advance(hours * 3_600_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await send()).headers['x-error-reason']).toBe('lease-held')
  finish()
  await first
  expect((await send()).headers['idempotency-replayed']).toBe('true')
  expect(times()).toBe(1)
})

test('201: a request that lost its key does not touch that of the next one', async () => {
  const { run, finish } = firstHeld()
  const { send, times, ports } = world(run)
  const { replace } = ports.idempotentRequests
  ports.idempotentRequests.replace = async () => {
    throw new Error('the store is away')
  }
  const first = send()
  await expect.poll(times).toBe(1)
  ports.clock.advance(day)
  await new Promise((resolve) => setImmediate(resolve))
  ports.idempotentRequests.replace = replace
  const second = await send()
  expect(second.json.times).toBe(2)
  finish()
  expect((await first).json.times).toBe(1)
  expect((await send()).text).toBe(second.text)
})

test('409: a response of which the stored form is too large to keep', async () => {
  const { send, times } = world()
  // Each quote has two bytes in the response, and four in the store.
  const body = { size: 1, text: '"'.repeat(100_000) }
  expect((await send({ body })).text.length).toBeLessThan(256 * 1024)
  expect((await send({ body })).headers['x-error-reason']).toBe('limit')
  expect(times()).toBe(1)
})

test('409: a response that is too large to keep', async () => {
  const { send, times } = world()
  const body = { size: 1, text: 'x'.repeat(300_000) }
  expect((await send({ body })).status).toBe(201)
  const { status, headers, json } = await send({ body })
  expect([status, headers['x-error-reason']]).toEqual([409, 'limit'])
  expect(json.error).toContain('answered with 201')
  expect(times()).toBe(1)
})

test('201: keeps the response although its record was written again meanwhile', async () => {
  const { send, times, ports } = world(async () => {
    const [id = ''] = seen
    const found = present(await ports.idempotentRequests.find(id))
    await ports.idempotentRequests.replace(found)
  })
  const seen: string[] = []
  const { create } = ports.idempotentRequests
  ports.idempotentRequests.create = async (request) => {
    seen.push(request.id)
    return create(request)
  }
  await send()
  expect((await send()).headers['idempotency-replayed']).toBe('true')
  expect(times()).toBe(1)
})

/** Sends a request whose key the store does not take, which is a 500. */
async function withStoreAway({ idempotentRequests }: MemoryPorts, send: () => Promise<CallResult>) {
  const { create } = idempotentRequests
  idempotentRequests.create = async () => {
    throw internalError('The store does not respond', { reason: 'store-unavailable' })
  }
  expect((await send()).status).toBe(500)
  idempotentRequests.create = create
}

test('409: an account that used too many keys within a day', async () => {
  const { send, times, ports } = world((count) => {
    if (count === 2) throw notFound('there is no such thing')
  })
  await send()
  // These do not count: the first key is free again, and the others were never taken.
  await send({ key: 'freed' })
  await withStoreAway(ports, () => send({ key: 'untaken' }))
  const { id } = present((await ports.accounts.list())[0])
  const take = () => ports.callerLimiter.takeKey(id, ports.clock.monotonic())
  for (let count = 2; count < keysPerDay; count += 1) take()
  expect((await send({ key: 'last' })).status).toBe(201)
  const { status, headers } = await send({ key: 'more' })
  expect([status, headers['x-error-reason'], times()]).toEqual([409, 'limit', 3])
  expect((await send()).headers['idempotency-replayed']).toBe('true')
  expect((await send({ headers: {} })).status).toBe(201)
  const other = { username: 'grace', role: 'admin' }
  expect((await send({ as: other, key: 'more' })).status).toBe(201)
  ports.clock.advance(day)
  expect((await send({ key: 'more' })).status).toBe(201)
})

test('500: a store that is away runs nothing', async () => {
  const { send, times, ports } = world()
  ports.idempotentRequests.find = async () => {
    throw internalError('The store does not respond', { reason: 'store-unavailable' })
  }
  expect((await send()).status).toBe(500)
  expect(times()).toBe(0)
})
