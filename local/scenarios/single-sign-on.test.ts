import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../adapters/node/http/listen.ts'
import { openIdClient } from '../../adapters/oidc/open-id.ts'
import { memoryClock } from '../../adapters/testing/memory/clock.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { prefix, routes } from '../../serverless.ts'
import { newBrowser } from '../harness/browser.ts'
import { type Forge, signed, signedWithHmac, unsigned } from '../harness/id-token.ts'
import { startProvider } from '../harness/identity-provider.ts'
import { loopbackDialer } from '../harness/outbound.ts'
import { signIn } from '../harness/sign-in.ts'

const redirect = 'http://127.0.0.1:9/done'

/** Starts the service over memory ports, and two real providers that know its callback URLs. */
async function start() {
  const ports = memoryPorts({
    openId: openIdClient(loopbackDialer()),
    clock: memoryClock(Date.now()),
    site: { baseUrl: null, feedsUrl: null },
  })
  const log = memoryLog()
  const all = { ...ports, log }
  const listener = await listen({ routes, prefix, ports: all, log, port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${listener.port}`
  const callback = (id: string) => `${url}/api/v1/auth/oidc/${id}/callback`
  const enabledJWA = { idTokenSigningAlgValues: ['RS256', 'PS256', 'HS256'] }
  const one = await startProvider([callback('one')], { configuration: { enabledJWA } })
  const two = await startProvider([callback('two'), callback('one')], {
    clientId: 'another-client',
  })
  return { ports, log, listener, url, one, two, admin: await signIn(ports, 'admin') }
}

let world: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  world = await start()
})
afterAll(async () => {
  await Promise.all([world.one.close(), world.two.close()])
  await world.listener.close(AbortSignal.abort())
})

async function api(method: string, path: string, body?: unknown, token?: string) {
  const answer = await fetch(`${world.url}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, json: text ? JSON.parse(text) : undefined, text }
}

/** Adds or replaces a provider, as an admin would. */
async function configure(name: 'one' | 'two', more: object = {}) {
  const { issuer, clientId, clientSecret } = world[name]
  const body = { name, issuer_url: issuer, client_id: clientId, client_secret: clientSecret }
  await api('DELETE', `/oidc-providers/${name}`, undefined, world.admin)
  const made = await api('POST', '/oidc-providers', { ...body, ...more }, world.admin)
  if (made.status !== 201) throw new Error(made.text)
}

const startOf = (id: string, more: Record<string, string> = {}) =>
  `${world.url}/api/v1/auth/oidc/${id}/login?${new URLSearchParams({ redirect_uri: redirect, ...more })}`
const atEnd = (url: string) => url.startsWith(redirect)

/** Signs in as this person. Returns the code, or null and the response. */
async function walk(person: string, id = 'one', more: Record<string, string> = {}) {
  const end = await newBrowser().go(startOf(id, more), person, atEnd)
  return { ...end, code: atEnd(end.url) ? new URL(end.url).searchParams.get('code') : null }
}

const exchange = (code: string | null, more: object = {}) =>
  api('POST', '/auth/oidc/exchange', { code, ...more })

/** Signs in completely. Returns the status and the user. */
async function enter(person: string, id = 'one') {
  const { code, status, text } = await walk(person, id)
  if (code === null) return { status, said: JSON.parse(text).error as string }
  const { json } = await exchange(code)
  return { status: 200, user: json.user, token: json.access_token as string }
}

beforeEach(async () => {
  for (const provider of [world.one, world.two]) {
    provider.forge = undefined
    provider.people = {
      ann: { preferred_username: 'ann', email: 'ann@example.org', groups: ['devs'] },
      bob: { preferred_username: 'bob', groups: ['devs', 'chiefs'] },
      eve: { preferred_username: 'admin', groups: [] },
    }
  }
  for (const { id, identity } of await world.ports.accounts.list()) {
    if (identity) await world.ports.accounts.remove(id)
  }
  world.log.lines.length = 0
  await configure('one', { default_role: 'viewer' })
  await configure('two', { default_role: 'viewer' })
})

describe('a user', () => {
  test('signs in, gets an account with the default role, and the same one the next time', async () => {
    const first = await enter('ann')
    expect(first).toMatchObject({ status: 200, user: { username: 'ann', role: 'viewer' } })
    const me = await api('GET', '/me', undefined, first.token)
    expect(me.json).toMatchObject({ email: 'ann@example.org', credential: 'session' })
    expect((await enter('ann')).user.id).toBe(first.user.id)
  })

  test('gets the strongest of the mapped roles, updated at each sign-in', async () => {
    const role_map = { devs: 'operator', chiefs: 'admin' }
    await configure('one', { role_claim: 'groups', role_map })
    expect((await enter('ann')).user.role).toBe('operator')
    expect((await enter('bob')).user.role).toBe('admin')
    world.one.people.bob = { preferred_username: 'bob', groups: 'devs' }
    expect((await enter('bob')).user.role).toBe('operator')
  })

  test('loses its role and all sessions once no role is mapped any more', async () => {
    await configure('one', { role_claim: 'groups', role_map: { devs: 'operator' } })
    const { token } = await enter('ann')
    world.one.people.ann = { preferred_username: 'ann', groups: ['others'] }
    expect(await enter('ann')).toMatchObject({ status: 403, said: expect.stringContaining('role') })
    expect((await api('GET', '/me', undefined, token)).status).toBe(401)
    world.one.people.ann = { preferred_username: 'ann', groups: ['devs'] }
    expect((await enter('ann')).user.role).toBe('operator')
  })

  test('is another user with the same subject at another provider', async () => {
    world.two.people.ann = { preferred_username: 'ann-of-two' }
    const [one, two] = [await enter('ann', 'one'), await enter('ann', 'two')]
    expect(one.user.id).not.toBe(two.user.id)
  })

  test('gets no account without a role here', async () => {
    await configure('one', { role_claim: 'groups', role_map: { chiefs: 'operator' } })
    expect(await enter('ann')).toMatchObject({ status: 403 })
    await configure('one')
    expect(await enter('ann')).toMatchObject({ status: 403 })
    expect((await world.ports.accounts.list()).every(({ identity }) => !identity)).toBe(true)
  })

  test('takes over no account by user name or address', async () => {
    const admin = present(await world.ports.accounts.findByUsername('admin'))
    expect(await enter('eve')).toMatchObject({ status: 409 })
    world.one.people.eve = { preferred_username: ' ADMIN ', email: admin.email ?? 'a@b.example' }
    expect(await enter('eve')).toMatchObject({ status: 409 })
    const { revision: _, ...before } = admin
    expect(await world.ports.accounts.find(admin.id)).toMatchObject(before)
  })

  test('is rejected when disabled, even between the code and the exchange', async () => {
    const { user } = await enter('ann')
    const { code } = await walk('ann')
    await api('PUT', `/users/${user.id}`, { disabled: true }, world.admin)
    expect((await exchange(code)).status).toBe(401)
    expect(await enter('ann')).toMatchObject({
      status: 403,
      said: expect.stringContaining('disabled'),
    })
  })

  test('has no password, and a password login does not reveal the account', async () => {
    await enter('ann')
    for (const password of ['', ' ', 'null', 'undefined', 'ann']) {
      const { status } = await api('POST', '/auth/login', { username: 'ann', password })
      expect(status).toBe(password === '' ? 400 : 401)
    }
  })

  test('gets one account from twenty concurrent first sign-ins', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter('ann')))
    expect(new Set(answers.map(({ user }) => user?.id)).size).toBe(1)
  })

  test('is not demoted by a provider if it is the last admin', async () => {
    await configure('one', { role_claim: 'groups', role_map: { chiefs: 'admin', devs: 'viewer' } })
    const { user } = await enter('bob')
    const others = await world.ports.accounts.list()
    const admins = others.filter(({ role, id }) => role === 'admin' && id !== user.id)
    for (const { id } of admins) await world.ports.accounts.remove(id)
    world.one.people.bob = { preferred_username: 'bob', groups: ['devs'] }
    expect(await enter('bob')).toMatchObject({ status: 409 })
    expect((await world.ports.accounts.find(user.id))?.role).toBe('admin')
    for (const { revision: _, ...admin } of admins) await world.ports.accounts.create(admin)
  })
})

describe('rejects an ID token:', () => {
  const change =
    (claims: object): Forge =>
    (parts, { privateKey }) =>
      signed({ ...parts, claims: { ...parts.claims, ...claims } }, privateKey)
  const seconds = Math.floor(Date.now() / 1000)
  const forgeries: [string, reason: string, Forge][] = [
    ['not signed', 'unexpected JWT "alg" header', unsigned],
    [
      'signed with the client’s secret',
      'unsupported JWS algorithm',
      (parts, keys) => signedWithHmac(parts, keys.clientSecret),
    ],
    [
      'signed with the public key as a secret',
      'unsupported JWS algorithm',
      (parts, keys) =>
        signedWithHmac(parts, keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ],
    [
      'its claims changed after it was signed',
      'JWT signature verification failed',
      (parts, { privateKey }) => {
        const [header, , signature] = signed(parts, privateKey).split('.')
        const claims = Buffer.from(JSON.stringify({ ...parts.claims, sub: 'bob' })).toString(
          'base64url',
        )
        return `${header}.${claims}.${signature}`
      },
    ],
    [
      'without its signature',
      'JWT signature verification failed',
      (parts, { privateKey }) => signed(parts, privateKey).replace(/[^.]*$/, ''),
    ],
    ['another nonce', 'unexpected ID Token "nonce"', change({ nonce: 'another' })],
    ['no nonce', '(nonce) claim missing', change({ nonce: undefined })],
    ['another issuer', 'unexpected JWT "iss"', change({ iss: 'https://login.example.org' })],
    ['another audience', 'unexpected JWT "aud"', change({ aud: 'somebody-else' })],
    [
      'a party it was not made for',
      '"azp"',
      change({ aud: ['container-stacks', 'other'], azp: 'other' }),
    ],
    ['expired', 'expiration is past', change({ exp: seconds - 3600 })],
    ['of the future', 'unexpected JWT "nbf"', change({ iat: seconds + 3600, nbf: seconds + 3600 })],
    ['no subject', '(subject) claim missing', change({ sub: undefined })],
    ['another subject than its user info', 'body "sub" property', change({ sub: 'bob' })],
    ['not a token', 'failed to parse JWT Header', () => 'x.y.z'],
  ]

  /** Returns why sign-ins were refused, as the log says. */
  const refusals = () =>
    world.log.lines
      .filter(({ message }) => message.endsWith('was refused'))
      .map(({ fields }) => fields.reason)

  test.each(forgeries)('%s', async (_name, reason, forge) => {
    world.one.forge = forge
    expect(await enter('ann')).toMatchObject({ status: 401 })
    expect((await world.ports.accounts.list()).every(({ identity }) => !identity)).toBe(true)
    expect(refusals()).toEqual([expect.stringContaining(reason)])
    const said = JSON.stringify(world.log.lines)
    expect(said).not.toMatch(/eyJ|the-secret-of/)
  })

  test('with another alg, valid otherwise', async () => {
    world.one.forge = (parts, { privateKey }) =>
      signed({ ...parts, header: { ...parts.header, alg: 'PS256' } }, privateKey)
    expect(await enter('ann')).toMatchObject({ status: 401 })
    expect(refusals()).toEqual([expect.stringContaining('unexpected JWT "alg" header')])
  })

  test('but not the provider’s own', async () => {
    world.one.forge = (parts, { privateKey }) => signed(parts, privateKey)
    expect(await enter('ann')).toMatchObject({ status: 200 })
  })
})

describe('the callback', () => {
  const callback = (id: string, query: Record<string, string>) =>
    api('GET', `/auth/oidc/${id}/callback?${new URLSearchParams(query)}`)
  const isCallback = (url: string) => url.includes('/callback?')

  /** Returns the provider's callback URL, before it reaches the service. */
  async function answerOf(person: string, id = 'one', more: Record<string, string> = {}) {
    const { url } = await newBrowser().go(startOf(id, more), person, isCallback)
    return { url, query: Object.fromEntries(new URL(url).searchParams) as Record<string, string> }
  }

  test('rejects a missing, unknown or malformed state', async () => {
    const { query } = await answerOf('ann')
    expect((await callback('one', { code: present(query.code) })).status).toBe(400)
    for (const state of ['css_unknown', `${query.state}x`, 'null', '__proto__']) {
      expect((await callback('one', { ...query, state })).status).toBe(401)
    }
  })

  test('accepts a response once', async () => {
    const { url } = await answerOf('ann')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetch(url, { redirect: 'manual' })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([302, ...Array(9).fill(401)])
  })

  test('rejects a response after ten minutes', async () => {
    const { query } = await answerOf('ann')
    world.ports.clock.advance(600_000)
    expect((await callback('one', query)).status).toBe(401)
    world.ports.clock.set(Date.now())
  })

  test('rejects a code of another sign-in', async () => {
    const [mine, theirs] = [await answerOf('ann'), await answerOf('bob')]
    const answer = await callback('one', { ...mine.query, code: present(theirs.query.code) })
    expect(answer.status).toBe(401)
  })

  test('rejects the response of one provider for another, by path or by issuer', async () => {
    const one = await answerOf('ann', 'one')
    expect((await callback('two', one.query)).status).toBe(401)
    const again = await answerOf('ann', 'one')
    expect(again.query.iss).toBe(world.one.issuer)
    const mixed = await callback('one', { ...again.query, iss: world.two.issuer })
    expect(mixed.status).toBe(401)
    const third = await answerOf('ann', 'one')
    const { iss: _, ...without } = third.query
    expect((await callback('one', without)).status).toBe(401)
  })

  test('reports the provider’s error code, and consumes the state', async () => {
    const { status, text, url } = await walk('nobody')
    expect([status, JSON.parse(text)]).toEqual([
      401,
      { error: 'one did not confirm the sign-in: access_denied' },
    ])
    expect((await api('GET', url.slice(url.indexOf('/auth/')))).status).toBe(401)
  })

  test('repeats no other text of the provider', async () => {
    const { query } = await answerOf('ann')
    const error = '<script>alert(1)</script>'
    const answer = await callback('one', {
      state: present(query.state),
      error,
      error_description: error,
    })
    expect([answer.status, answer.text]).not.toContain('script')
    expect(answer.json.error).toBe('one did not confirm the sign-in')
  })

  test('redirects with the error if the client asked for that', async () => {
    const { url, code } = await walk('nobody', 'one', { errors: 'redirect' })
    const told = new URL(url).searchParams
    expect([code, told.get('error')]).toEqual([null, 'access_denied'])
    expect(told.get('error_description')).toContain('did not confirm')
  })

  test('rejects a repeated parameter', async () => {
    const { url } = await answerOf('ann')
    const { status } = await fetch(`${url}&code=other`, { redirect: 'manual' })
    expect(status).toBe(400)
  })

  test('signs no user in if the provider was removed meanwhile', async () => {
    const { query } = await answerOf('ann')
    await api('DELETE', '/oidc-providers/one', undefined, world.admin)
    expect((await callback('one', query)).status).toBe(404)
  })
})

describe('the code', () => {
  test('is valid once, even with concurrent exchanges', async () => {
    const { code } = await walk('ann')
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(401)])
  })

  test('is valid for a minute', async () => {
    const { code } = await walk('ann')
    world.ports.clock.advance(60_000)
    expect((await exchange(code)).status).toBe(401)
    world.ports.clock.set(Date.now())
  })

  test('is useless without the client’s secret of that sign-in', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const begin = async () => (await walk('ann', 'one', { code_challenge })).code
    expect((await exchange(await begin())).status).toBe(401)
    expect((await exchange(await begin(), { code_verifier: 'x'.repeat(43) })).status).toBe(401)
    expect((await exchange(await begin(), { code_verifier: code_challenge })).status).toBe(401)
    expect((await exchange(await begin(), { code_verifier: verifier })).status).toBe(200)
    const without = (await walk('ann')).code
    expect((await exchange(without, { code_verifier: verifier })).status).toBe(401)
  })

  test('is neither a state nor a token, and no token is a code', async () => {
    const { code } = await walk('ann')
    expect((await api('GET', '/me', undefined, present(code))).status).toBe(401)
    expect((await api('POST', '/auth/refresh', { refresh_token: code })).status).toBe(401)
    const { visited } = await walk('ann')
    const state = new URL(present(visited.find((url) => url.includes('state=')))).searchParams.get(
      'state',
    )
    // It is longer than any code.
    expect((await exchange(state)).status).toBe(400)
    expect((await exchange(present(state).slice(0, 128))).status).toBe(401)
    expect((await exchange(world.admin.slice(0, 100))).status).toBe(401)
  })

  test('is the only credential in any URL on the way: no token, no verifier', async () => {
    const { visited, code } = await walk('ann')
    const { json } = await exchange(code)
    const way = visited.join('\n') + JSON.stringify(world.log.lines)
    for (const secret of [
      json.access_token,
      json.refresh_token,
      'code_verifier',
      'client_secret',
    ]) {
      expect(way).not.toContain(secret)
    }
    expect(JSON.stringify(world.log.lines)).not.toContain(code)
  })
})

test('reports a provider that is down or is not one, without repeating its response', async () => {
  const at = (issuer_url: string) =>
    api('PUT', '/oidc-providers/one', { issuer_url, client_secret: 's' }, world.admin)
  for (const issuer of ['http://127.0.0.1:9', world.url, `${world.one.issuer}/nothing`]) {
    expect((await at(issuer)).status).toBe(200)
    const answer = await api('GET', startOf('one').slice(`${world.url}/api/v1`.length))
    expect([answer.status, answer.json.error]).toEqual([
      500,
      'one does not respond like an identity provider',
    ])
  }
})

test('only the log shows a wrong client secret', async () => {
  const given = { client_secret: 'wrong-secret-of-the-client' }
  expect((await api('PUT', '/oidc-providers/one', given, world.admin)).status).toBe(200)
  expect(await enter('ann')).toEqual({ status: 401, said: 'one did not confirm the sign-in' })
  const lines = JSON.stringify(world.log.lines)
  expect(lines).toContain('invalid_client')
  expect(lines).not.toContain('wrong-secret')
})
