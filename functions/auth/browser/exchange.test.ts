import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { cookieOf, pageHeaders } from '../../../local/harness/browser-session.ts'
import { call } from '../../../local/harness/call.ts'
import { ann, ssoWorld } from '../../../local/harness/sso.ts'
import exchange from './exchange.ts'
import refresh from './refresh.ts'

const code_verifier = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')

async function world() {
  const { ports, walk } = await ssoWorld()
  const redeem = (body: object, headers: Record<string, string> = pageHeaders()) =>
    call(exchange, { ports, body, headers })
  return { ports, walk, redeem }
}

test('200: returns the same as a login, once per code', async () => {
  const { ports, walk, redeem } = await world()
  const { code } = await walk(ann, { code_challenge })
  const answer = await redeem({ code, code_verifier })
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    access_token: expect.any(String),
    expires_in: 900,
    user: { id: expect.any(String), username: 'ann', role: 'viewer' },
    browser_key: expect.stringMatching(/^csk_/),
  })
  const cookie = cookieOf(answer.headers)
  const headers = { ...pageHeaders(), cookie, 'x-browser-key': answer.json.browser_key }
  expect((await call(refresh, { ports, headers })).status).toBe(200)
  expect((await redeem({ code, code_verifier })).status).toBe(401)
})

test('200: `remember_me` makes the cookie outlive the browser', async () => {
  const { walk, redeem } = await world()
  const { code } = await walk(ann, { code_challenge })
  const { headers } = await redeem({ code, code_verifier, remember_me: true })
  expect(headers['set-cookie']).toContain(`; Max-Age=${14 * 86_400}`)
})

test('400: no verifier, or a request that does not come from a page', async () => {
  const { walk, redeem } = await world()
  const { code } = await walk(ann, { code_challenge })
  expect((await redeem({ code })).status).toBe(400)
  expect((await redeem({ code, code_verifier }, {})).status).toBe(400)
  expect((await redeem({ code, code_verifier })).status).toBe(200)
})

test('401: a wrong verifier, or a sign-in that was started without a challenge', async () => {
  const { walk, redeem } = await world()
  const { code } = await walk(ann, { code_challenge })
  expect((await redeem({ code, code_verifier: 'w'.repeat(43) })).status).toBe(401)
  const open = await walk(ann)
  expect((await redeem({ code: open.code, code_verifier })).status).toBe(401)
})
