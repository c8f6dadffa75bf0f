import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { ann, ssoWorld } from '../../../local/harness/sso.ts'
import me from '../../me/get.ts'
import removeProvider from '../../oidc-providers/remove.ts'
import exchange from './exchange.ts'

test('200: returns the same as a login, once per code', async () => {
  const { ports, walk, redeem } = await ssoWorld()
  const { code } = await walk(ann)
  const { status, json } = await redeem({ code })
  expect(status).toBe(200)
  expect(json.user).toEqual({ id: expect.any(String), username: 'ann', role: 'viewer' })
  const { json: shown } = await call(me, { ports, as: { token: json.access_token } })
  expect(shown).toMatchObject({ username: 'ann', credential: 'session', mfa_enabled: false })
  expect((await redeem({ code })).status).toBe(401)
  expect((await ports.accounts.findByUsername('ann'))?.lastLoginAt).toBe(ports.clock.now())
})

test('200: accepts the verifier of the challenge, and `remember_me`', async () => {
  const { ports, walk, redeem } = await ssoWorld()
  const code_verifier = 'v'.repeat(43)
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const { code } = await walk(ann, { code_challenge })
  const { json } = await redeem({ code, code_verifier, remember_me: true })
  const [session] = await ports.sessions.listByAccount(json.user.id)
  expect(present(session).expiresAt - ports.clock.now()).toBe(14 * 86_400_000)
})

test('400: no code, or an invalid field', async () => {
  const { redeem } = await ssoWorld()
  for (const body of [{}, { code: '' }, { code: 'x', state: 'y' }, { code: 1 }]) {
    expect((await redeem(body)).status).toBe(400)
  }
  expect((await call(exchange, { body: { code: 'x'.repeat(20_000) } })).status).toBe(400)
})

test('401: an unknown or expired code, a disabled account, or a deleted provider', async () => {
  const { ports, path, walk, redeem } = await ssoWorld()
  expect((await redeem({ code: 'csc_unknown' })).status).toBe(401)
  const over = (await walk(ann)).code
  ports.clock.advance(60_000)
  expect((await redeem({ code: over })).status).toBe(401)
  const gone = (await walk(ann)).code
  const account = present(await ports.accounts.findByUsername('ann'))
  await ports.accounts.replace({ ...account, disabled: true })
  expect((await redeem({ code: gone })).status).toBe(401)
  const other = await ssoWorld()
  const left = (await other.walk(ann)).code
  await call(removeProvider, { ports: other.ports, path, as: 'admin' })
  expect((await other.redeem({ code: left })).status).toBe(401)
})

test('401: a missing or wrong verifier, or one without a challenge', async () => {
  const { walk, redeem } = await ssoWorld()
  const code_challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
  const begun = async () => (await walk(ann, { code_challenge })).code
  expect((await redeem({ code: await begun() })).status).toBe(401)
  expect((await redeem({ code: await begun(), code_verifier: 'w'.repeat(43) })).status).toBe(401)
  const code_verifier = 'v'.repeat(43)
  expect((await redeem({ code: (await walk(ann)).code, code_verifier })).status).toBe(401)
})
