import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { cookieOf, signedInPage } from '../../../local/harness/browser-session.ts'
import { call } from '../../../local/harness/call.ts'
import me from '../../me/get.ts'
import logout from './logout.ts'

async function world() {
  const ports = memoryPorts()
  const page = await signedInPage(ports)
  const as = { token: page.answer.json.access_token as string }
  return { ports, page, isAlive: async () => (await call(me, { ports, as })).status === 200 }
}

test('204: ends the session and its access tokens, and deletes the cookie', async () => {
  const { page, isAlive } = await world()
  const answer = await page.logout()
  expect(answer.status).toBe(204)
  expect(answer.headers['set-cookie']).toBe(
    'cs_8080_0a1b2c3d=; Path=/api/v1/auth/browser; HttpOnly; SameSite=Strict; Max-Age=0',
  )
  expect(await isAlive()).toBe(false)
  expect((await page.refresh()).status).toBe(401)
})

test('204: a session that has ended, or no cookie', async () => {
  const { page } = await world()
  await page.logout()
  expect((await page.logout()).status).toBe(204)
  expect((await page.logout({ cookie: '' })).status).toBe(204)
})

test('204: a cookie that was replaced a moment ago', async () => {
  const { page, isAlive } = await world()
  const next = await page.refresh()
  expect(cookieOf(next.headers)).not.toBe(page.cookie)
  expect((await page.logout()).status).toBe(204)
  expect(await isAlive()).toBe(false)
})

test('400: the request does not come from a page', async () => {
  const { ports, page, isAlive } = await world()
  const headers = { cookie: page.cookie, 'x-browser-key': page.key }
  expect((await call(logout, { ports, headers })).status).toBe(400)
  expect(await isAlive()).toBe(true)
})

test('401: the cookie without its key changes nothing', async () => {
  const { ports, page, isAlive } = await world()
  const other = await signedInPage(ports)
  for (const key of ['', `csk_${'A'.repeat(43)}`, other.key]) {
    const answer = await page.logout({ key })
    expect(answer.status).toBe(401)
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await isAlive()).toBe(true)
})
