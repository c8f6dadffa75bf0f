import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import { requestsPerCaller } from '../core/access/caller-queues.ts'
import { conflict, internalError, invalidCredential, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from './endpoint.ts'
import { capped, Reply, TextReply } from './reply.ts'

const thing = endpoint({
  summary: 'Change a thing',
  access: 'stacks:update',
  path: z.object({ name: z.string().min(1).max(3) }),
  query: z.object({ force: z.enum(['true', 'false']).optional() }),
  body: z.strictObject({
    count: z.int().min(1),
    tags: z
      .array(z.object({ key: z.string().regex(/^[a-z]+$/, 'must be small letters') }))
      .optional(),
  }),
  returns: z.object({ done: z.boolean(), force: z.string().optional() }),
  errors: { 404: 'gone', 409: 'busy' },
  bodyLimit: 200,
  async run({ path, query, body }) {
    if (path.name === 'no') throw notFound('there is no such thing')
    if (path.name === 'odd') throw new Error('secret cause')
    if (path.name === 'bad')
      throw internalError('the store did not respond', { cause: new Error('cause') })
    return { done: body.count > 0, force: query.force }
  },
})
const good = { path: { name: 'a' }, body: { count: 1 }, as: 'operator' as const }
const bad = { path: { name: 'long' }, query: { what: 1 }, rawBody: '{' }

const errorOf = async (request: Parameters<typeof call>[1]) => {
  const answer = await call(thing, request as typeof good)
  expect(answer.json, answer.text).toEqual({ error: expect.any(String) })
  return `${answer.status} ${answer.json.error}`
}

test('200: accepts a valid request', async () => {
  expect((await call(thing, { ...good, query: { force: true } })).json).toEqual({
    done: true,
    force: 'true',
  })
})

test.each([true, false])(
  'gets the cookies of a request only if it reads them: %s',
  async (reads) => {
    const shown = endpoint({
      summary: 'Return a header',
      access: 'public',
      readsCookies: reads,
      returns: z.object({ cookie: z.string().optional(), other: z.string().optional() }),
      run: ({ request: { headers } }) => ({ cookie: headers.cookie, other: headers['x-other'] }),
    })
    const headers = { cookie: 'a=b', 'x-other': 'c' }
    const { json } = await call(shown, { headers })
    expect(json).toEqual({ other: 'c', ...(reads && { cookie: 'a=b' }) })
  },
)

test('401 comes before 403 before 400 before 404', async () => {
  expect(await errorOf(bad)).toMatch(/^401 authentication required/)
  expect(await errorOf({ ...bad, as: 'viewer' })).toMatch(/^403 your role viewer .* stacks:update$/)
  expect(await errorOf({ ...bad, as: 'operator' })).toMatch(
    /^400 path\.name: must have 1 to 3 characters/,
  )
  expect(await errorOf({ ...good, path: { name: 'no' } })).toBe('404 there is no such thing')
})

test.each([
  ['none', undefined],
  ['another scheme', 'Basic YTpi'],
  ['an unknown token', 'Bearer unknown'],
  ['two tokens', 'Bearer a b'],
  ['an API token with a wrong checksum', `Bearer cst_${'0'.repeat(42)}`],
  ['a token of 5000 characters', `Bearer ${'a'.repeat(5000)}`],
])('401: %s', async (_name, authorization) => {
  const answer = await call(thing, {
    ...good,
    as: undefined,
    headers: authorization ? { authorization } : {},
  })
  expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
})

test('401: a token of a disabled account or an ended session, or an expired one', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, 'operator')
  const request = { ...good, ports, as: { token } }
  expect((await call(thing, request)).status).toBe(200)

  const account = await accountOf(ports, 'operator')
  await ports.accounts.replace({ ...account, disabled: true })
  expect((await call(thing, request)).status).toBe(401)
  const disabled = await accountOf(ports, 'operator')
  await ports.accounts.replace({ ...disabled, disabled: false })
  expect((await call(thing, request)).status).toBe(200)

  ports.clock.advance(900_000)
  expect((await call(thing, request)).status).toBe(401)
  const again = { ...request, as: { token: await signIn(ports, 'operator') } }
  expect((await call(thing, again)).status).toBe(200)
  await ports.sessions.removeByAccount(account.id)
  expect((await call(thing, again)).status).toBe(401)
})

test('401: logs why a token is refused, but does not return it', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, 'operator')
  ports.accessTokens.verify = async () => {
    throw invalidCredential({ detail: 'from the future' })
  }
  const answer = await call(thing, { ...good, ports, as: { token } })
  expect(answer).toMatchObject({ status: 401, detail: 'from the future' })
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.json).toEqual({ error: 'the credential is invalid, expired or revoked' })
})

test('403: reads the role again for each request', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, 'operator')
  const account = await accountOf(ports, 'operator')
  await ports.accounts.replace({ ...account, role: 'viewer' })
  expect((await call(thing, { ...good, ports, as: { token } })).status).toBe(403)
})

test.each([
  ['{"count":0}', 'body.count: must be a whole number of at least 1'],
  ['{"count":"1"}', 'body.count: must be a whole number of at least 1'],
  ['{"count":1.5}', 'body.count: must be a whole number of at least 1'],
  ['{}', 'body.count: is required'],
  ['{"count":1,"x":1,"y":2}', 'body: unknown field "x", "y"; allowed: count, tags'],
  ['{"count":1,"tags":[{"key":"a"},{"key":"A"}]}', 'body.tags[1].key: must be small letters'],
  ['{"count":1,"tags":{}}', 'body.tags: must be a list'],
  ['{"count":1,"__proto__":{}}', 'body: unknown field "__proto__"'],
  ['{"count":1,"tags":[{"__proto__":{}}]}', 'body: unknown field "__proto__"'],
  ['{"count":1,"count":2}', 'body: duplicate field "count"'],
  ['null', 'body: must be an object'],
  ['[]', 'body: must be an object'],
  ['', 'the body is not valid JSON'],
  ['{', 'the body is not valid JSON'],
  [`{"count":1${' '.repeat(200)}}`, 'the body is larger than 200 bytes'],
])('400: the body %j: %s', async (rawBody, text) => {
  expect(await errorOf({ ...good, rawBody })).toBe(`400 ${text}`)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
  '400: a body of the type %j',
  async (type) => {
    const headers = { 'content-type': type }
    expect(await errorOf({ ...good, headers })).toContain('Content-Type: application/json')
  },
)

test('400: an encoded body', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect(await errorOf({ ...good, headers })).toContain('Content-Encoding')
})

test.each([
  ['force=maybe', 'query.force: must be "true" or "false"'],
  ['force=true&force=true', 'query.force: must not be repeated'],
  ['other=1', 'query: unknown parameter "other"; allowed: force'],
  ['__proto__=1', 'query: unknown parameter "__proto__"; allowed: force'],
  ['force=%ff', 'the query is not valid percent-encoded UTF-8'],
])('400: the query %s: %s', async (query, text) => {
  expect(await errorOf({ ...good, query })).toBe(`400 ${text}`)
})

test('500: hides unexpected errors, names a failed dependency, and logs the cause', async () => {
  const odd = await call(thing, { ...good, path: { name: 'odd' } })
  expect(odd.json).toEqual({ error: 'the service failed to answer this request' })
  expect(odd.cause).toMatchObject({ message: 'secret cause' })
  const store = await call(thing, { ...good, path: { name: 'bad' } })
  expect(store.json).toEqual({ error: 'the store did not respond' })
  expect(store.cause).toMatchObject({ message: 'cause' })
})

const bare = endpoint({ summary: 'Nothing', access: 'public', run: () => undefined })

test('204: has no body, and accepts an empty body or object', async () => {
  expect(await call(bare)).toMatchObject({ status: 204, text: '' })
  expect((await call(bare, { rawBody: ' {} ' })).status).toBe(204)
})

test('400: an unexpected body or query', async () => {
  expect((await call(bare, { body: { a: 1 } })).json.error).toBe(
    'body: this endpoint accepts no body',
  )
  expect((await call(bare, { query: { a: 1 } })).json.error).toBe(
    'query: unknown parameter "a"; none is allowed',
  )
})

test('200: accepts a missing body if the schema allows it', async () => {
  const optional = endpoint({
    summary: 'Optional',
    access: 'public',
    body: z.strictObject({ a: z.string().optional() }).prefault({}),
    returns: z.object({ body: z.any() }),
    run: ({ body }) => ({ body }),
  })
  expect((await call(optional)).json).toEqual({ body: {} })
  expect((await call(optional, { body: { a: 'b' } })).json).toEqual({ body: { a: 'b' } })
  expect((await call(optional, { rawBody: 'null' })).status).toBe(400)
})

test('replies set status and headers, lists are capped, and texts have a content type', async () => {
  const list = endpoint({
    summary: 'List',
    access: 'public',
    returns: z.array(z.number()).max(2),
    run: () => capped([1, 2, 3], 2),
  })
  expect(await call(list)).toMatchObject({
    status: 200,
    json: [1, 2],
    headers: { 'x-result-truncated': 'true' },
  })
  const created = endpoint({
    summary: 'Create',
    access: 'public',
    returns: z.object({ id: z.string() }),
    otherResponses: { 202: 'later' },
    responseHeaders: { Location: 'Where it is' },
    run: () => new Reply({ id: 'a' }, { status: 202, headers: { Location: '/a' } }),
  })
  expect(await call(created)).toMatchObject({ status: 202, headers: { location: '/a' } })
  const page = endpoint({
    summary: 'Page',
    access: 'public',
    produces: 'text/html; charset=utf-8',
    run: () =>
      new TextReply('<p>', 'text/html; charset=utf-8', {
        'Content-Security-Policy': "default-src 'self'",
      }),
  })
  expect(await call(page)).toMatchObject({
    text: '<p>',
    headers: {
      'content-security-policy': "default-src 'self'",
      'x-content-type-options': 'nosniff',
    },
  })
})

test('403: a host out of scope is refused without code in the handler', async () => {
  const ports = memoryPorts()
  await ports.hosts.create(agentHost('h1', ['prod']))
  const hostOf = endpoint({
    summary: 'Host',
    access: 'hosts:read',
    path: z.object({ id: z.string() }),
    returns: z.object({ id: z.string() }),
    errors: { 404: 'no such host', 409: 'never' },
    async run({ path }, { hosts }: Needs<'hosts'>) {
      const host = await hosts.find(path.id)
      if (!host) throw notFound('no such host')
      if (host.id === 'never') throw conflict('never')
      return { id: host.id }
    },
  })
  const statusAs = async (scopeTags: string[], id: string) =>
    (await call(hostOf, { ports, path: { id }, as: { username: scopeTags.join(), scopeTags } }))
      .status
  expect(await statusAs(['prod'], 'h1')).toBe(200)
  expect(await statusAs(['prod'], 'local')).toBe(403)
  expect(await statusAs(['prod'], 'h2')).toBe(404)
  expect(await statusAs(['dev'], 'h1')).toBe(403)
})

/** An endpoint whose requests last until the test ends them. */
function slowEndpoint(facts: { noTimeout?: boolean; limitsCaller?: boolean }) {
  let begun = 0
  const ends: (() => void)[] = []
  const slow = endpoint({
    summary: 'Take long',
    access: 'signed-in',
    changes: false,
    ...facts,
    async run() {
      begun += 1
      await new Promise<void>((resolve) => ends.push(resolve))
      return undefined
    },
  })
  return { slow, begun: () => begun, endAll: () => ends.splice(0).map((end) => end()) }
}

test.each([
  ['limits the simultaneous requests of one account', {}, requestsPerCaller],
  ['does not limit requests that may take minutes', { noTimeout: true }, 2 * requestsPerCaller],
  ['limits those that say so', { noTimeout: true, limitsCaller: true }, requestsPerCaller],
])('%s', async (_, facts, expected) => {
  const ports = memoryPorts()
  const token = await signIn(ports, 'viewer')
  const { slow, begun, endAll } = slowEndpoint(facts)
  const asked = Array.from({ length: 2 * requestsPerCaller }, () =>
    call(slow, { ports, as: { token } }),
  )
  await expect.poll(begun).toBe(expected)
  endAll()
  await expect.poll(begun).toBe(2 * requestsPerCaller)
  endAll()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([204]))
})
