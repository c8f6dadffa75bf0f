import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type MemoryPorts, memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { makeApiToken } from '../core/access/api-token.ts'
import { conflict, internalError, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from './endpoint.ts'
import { Reply } from './reply.ts'

const day = 86_400_000

/** Makes roles, and counts how often it ran. */
function makerOf(run: (times: number) => unknown | Promise<unknown> = () => undefined) {
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
    async run({ path, body }, { roles }: Needs<'roles'>) {
      times += 1
      await run(times)
      await roles.create({ id: `${path.name}-${times}`, permissions: [], createdAt: 0 })
      const headers = { Location: `/roles/${path.name}` }
      return new Reply({ id: path.name, times, text: body.text }, { headers })
    },
  })
  return { maker, times: () => times }
}

type Given = Partial<CallRequest<Needs<'roles'>>> & { key?: string }

function world(run?: Parameters<typeof makerOf>[0]) {
  const ports = memoryPorts()
  const made = makerOf(run)
  const send = ({ key = 'key-1', ...given }: Given = {}) =>
    call(made.maker, {
      ports,
      as: 'admin',
      route: 'POST /roles/{name}',
      path: { name: 'cook' },
      body: { size: 1 },
      headers: { 'Idempotency-Key': key },
      ...given,
    })
  return { ports, ...made, send }
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

test('the order of the fields and spaces make no other request', async () => {
  const { send, times } = world()
  await send({ body: { size: 1, text: 'a' } })
  const { status } = await send({ body: undefined, rawBody: '{ "text": "a", "size": 1 }' })
  expect([status, times()]).toEqual([201, 1])
})

test('accounts and API tokens have keys of their own; sessions of an account share them', async () => {
  const { send, ports, times } = world()
  const { id: accountId } = await accountOf(ports, { role: 'admin', username: 'ada' })
  const tokens = await Promise.all(['one', 'two'].map((id) => apiTokenOf(accountId, id, ports)))
  const callers = [{ username: 'ada' }, { username: 'grace', role: 'admin' }]
  for (const as of [...callers, ...tokens.map((token) => ({ token }))]) {
    const { headers } = await send({ as })
    expect(headers).not.toHaveProperty('idempotency-replayed')
    expect((await send({ as })).headers['idempotency-replayed']).toBe('true')
  }
  expect(times()).toBe(4)
})

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
  expect([status, headers['x-error-reason']]).toEqual([409, 'conflict'])
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

test('404 is kept', async () => {
  const { send, times } = world(() => {
    throw notFound('there is no such thing')
  })
  await send()
  expect([(await send()).status, times()]).toEqual([404, 1])
})

test('401 and 403: a replay needs a credential and the permission as they are now', async () => {
  const { send, times } = world()
  await send()
  expect((await send({ as: undefined })).status).toBe(401)
  expect((await send({ as: 'viewer' })).status).toBe(403)
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

test('500: a store that is away runs nothing', async () => {
  const { send, times, ports } = world()
  ports.idempotentRequests.find = async () => {
    throw internalError('The store does not respond', { reason: 'store-unavailable' })
  }
  expect((await send()).status).toBe(500)
  expect(times()).toBe(0)
})
