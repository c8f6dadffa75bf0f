import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { ann, redirect, ssoWorld } from '../../../local/harness/sso.ts'
import { internalError } from '../../core/errors.ts'
import login from './login.ts'

test('302: redirects to the provider with a new state, nonce and challenge each time', async () => {
  const { begin } = await ssoWorld()
  const seen = []
  for (let times = 0; times < 2; times += 1) {
    const { status, headers, text } = await begin()
    expect([status, text, headers['cache-control']]).toEqual([302, '', 'no-store'])
    const url = new URL(present(headers.location))
    expect(url.origin + url.pathname).toBe('https://login.example.org/realms/main/authorize')
    expect(url.searchParams.get('redirect_uri')).toBe(
      'https://stacks.example.org/api/v1/auth/oidc/keycloak/callback',
    )
    for (const name of ['state', 'nonce', 'code_challenge']) seen.push(url.searchParams.get(name))
    expect(url.href).not.toContain('127.0.0.1')
  }
  expect(new Set(seen).size).toBe(6)
  for (const one of seen) expect(one?.length).toBeGreaterThanOrEqual(43)
})

test.each([
  'http://127.0.0.1:9/',
  'http://127.0.0.1:65535/a/b?c=d',
  'http://[::1]:4711/done',
  'http://2130706433:9/',
  'https://stacks.example.org',
  'https://stacks.example.org/api/v1/docs',
])('302: accepts %s as redirect URI', async (redirect_uri) => {
  const { begin } = await ssoWorld()
  expect((await begin({ redirect_uri })).status).toBe(302)
})

test.each([
  '',
  'done',
  '//evil.example',
  'https://evil.example/',
  'https://stacks.example.org.evil.example/',
  'https://stacks.example.org@evil.example/',
  'https://evil.example\\@stacks.example.org/',
  'https://stacks.example.org:8443/',
  'http://stacks.example.org/',
  'https://stacks.example.org/api/v1/auth/oidc/keycloak/login',
  'https://stacks.example.org/api/v1/%61uth/oidc/keycloak/callback',
  'https://stacks.example.org/%zz',
  'https://stacks.example.org//evil.example/',
  'https://stacks.example.org/\\evil.example/',
  'https://stacks.example.org/login//x',
  'http://localhost:9/',
  'http://127.0.0.1/',
  'http://127.0.0.1:80/',
  'https://127.0.0.1:9/',
  'http://127.0.0.1.evil.example:9/',
  'http://127.0.0.2:9/',
  'http://0.0.0.0:9/',
  'http://[::]:9/',
  'http://[::ffff:127.0.0.1]:9/',
  'http://ann@127.0.0.1:9/',
  'http://127.0.0.1:9/#x',
  'http://127.0.0.1:99999/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'cli://127.0.0.1:9/',
])('400: rejects %j as redirect URI', async (redirect_uri) => {
  const { begin } = await ssoWorld()
  expect((await begin({ redirect_uri })).status).toBe(400)
})

test('400: an invalid challenge, an unknown parameter, or no redirect URI', async () => {
  const { ports, path, begin } = await ssoWorld()
  expect((await begin({ code_challenge: 'plain' })).status).toBe(400)
  expect((await begin({ state: 'mine' })).status).toBe(400)
  expect((await begin({ errors: 'none' })).status).toBe(400)
  expect((await call(login, { ports, path })).status).toBe(400)
})

test('400: a redirect URI that is too long once it is encoded', async () => {
  const { begin } = await ssoWorld()
  const redirect_uri = `${redirect}?a=${'ä'.repeat(1000)}`
  expect((await begin({ redirect_uri })).status).toBe(400)
})

test('302: the longest redirect URI leads back', async () => {
  const { walk } = await ssoWorld()
  const redirect_uri = `${redirect}?a=`.padEnd(2048, 'x')
  const { status, location } = await walk(ann, { redirect_uri })
  expect([status, location?.startsWith(redirect_uri)]).toEqual([302, true])
})

test('302: stores nothing, however many sign-ins are begun', async () => {
  const { ports, begin } = await ssoWorld()
  const stored = async () => {
    throw new Error('a sign-in was stored')
  }
  Object.assign(ports.signInSteps, { create: stored, claim: stored })
  for (let times = 0; times < 20; times += 1) expect((await begin()).status).toBe(302)
})

test('404: unknown provider', async () => {
  const { begin } = await ssoWorld()
  for (const id of ['other', '__proto__', 'KEYCLOAK']) {
    expect((await begin({}, id)).status).toBe(404)
  }
})

test('409: rejects foreign Host headers while no base URL is set', async () => {
  const { ports, path } = await ssoWorld()
  ports.site.baseUrl = null
  const at = (host: string) =>
    call(login, { ports, path, query: { redirect_uri: redirect }, headers: { host } })
  for (const host of ['stacks.example.org', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    expect((await at(host)).status).toBe(409)
  }
  const { status, headers } = await at('LocalHost:8080')
  expect(status).toBe(302)
  expect(new URL(present(headers.location)).searchParams.get('redirect_uri')).toBe(
    'http://localhost:8080/api/v1/auth/oidc/keycloak/callback',
  )
})

test('500: the provider does not respond', async () => {
  const { ports, begin } = await ssoWorld()
  ports.openId.failure = internalError('Keycloak does not respond like an identity provider')
  expect((await begin()).status).toBe(500)
})
