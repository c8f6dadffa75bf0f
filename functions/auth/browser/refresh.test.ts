import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { cookieOf, signedInPage } from '../../../local/harness/browser-session.ts'
import { call } from '../../../local/harness/call.ts'
import me from '../../me/get.ts'
import plainLogout from '../logout.ts'
import plainRefresh from '../refresh.ts'

const minute = 60_000

async function world(more: { origin?: string; remember_me?: boolean } = {}) {
  const ports = memoryPorts()
  const page = await signedInPage(ports, more)
  const whoami = (token: string) => call(me, { ports, as: { token } })
  /** Returns whether the access token of the login is still valid. */
  const isAlive = async () => (await whoami(page.answer.json.access_token)).status === 200
  return { ports, page, whoami, isAlive }
}

test('200: returns a new access token and replaces the cookie', async () => {
  const { page, whoami } = await world()
  const answer = await page.refresh()
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    access_token: expect.any(String),
    expires_in: 900,
    user: page.answer.json.user,
  })
  expect(answer.headers['set-cookie']).toMatch(
    /^cs_8080_0a1b2c3d=csb_.*; Path=\/api\/v1\/auth\/browser; HttpOnly; SameSite=Strict$/,
  )
  expect(cookieOf(answer.headers)).not.toBe(page.cookie)
  expect((await whoami(answer.json.access_token)).status).toBe(200)
})

test('200: the cookie before the current one gets the same successor for 10 s', async () => {
  const { ports, page, isAlive } = await world()
  const first = await page.refresh()
  ports.clock.advance(10_000)
  const again = await page.refresh()
  expect(again.status).toBe(200)
  expect(cookieOf(again.headers)).toBe(cookieOf(first.headers))
  ports.clock.advance(1)
  expect((await page.refresh()).status).toBe(401)
  expect(await isAlive()).toBe(false)
})

test('200: five tabs that refresh at once all get the same cookie', async () => {
  const { page } = await world()
  const answers = await Promise.all(Array.from({ length: 5 }, () => page.refresh()))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const cookies = new Set(answers.map(({ headers }) => cookieOf(headers)))
  expect(cookies.size).toBe(1)
  const [cookie = ''] = cookies
  expect((await page.refresh({ cookie })).status).toBe(200)
})

test('200: a repeat after the key of the installation was replaced gets the same successor', async () => {
  const { ports, page } = await world()
  const first = await page.refresh()
  ports.browserSecrets.keys.unshift('second key')
  const again = await page.refresh()
  expect(cookieOf(again.headers)).toBe(cookieOf(first.headers))
  const next = await page.refresh({ cookie: cookieOf(again.headers) })
  expect(next.status).toBe(200)
})

test('200: a remembered session keeps its end when its cookie is replaced', async () => {
  const { ports, page } = await world({ remember_me: true })
  ports.clock.advance(13 * 86_400_000)
  const { headers } = await page.refresh()
  expect(headers['set-cookie']).toContain('; Max-Age=86400')
})

/** Refreshes every 5 minutes until a refusal. Returns after how many minutes that was. */
async function minutesUntilOver(
  { ports, page }: Awaited<ReturnType<typeof world>>,
  idleAt: (minutes: number) => number,
) {
  let { cookie } = page
  for (let passed = 5; passed <= 24 * 60; passed += 5) {
    ports.clock.advance(5 * minute)
    const answer = await page.refresh({ cookie, idle: idleAt(passed) * 60 })
    if (answer.status !== 200) return passed
    cookie = cookieOf(answer.headers)
  }
  return undefined
}

test('200: a session whose pages are used lasts for a day', async () => {
  expect(await minutesUntilOver(await world(), () => 4)).toBe(24 * 60)
})

test('200: a use that a page had not told yet counts from when it was', async () => {
  const last = 12
  expect(await minutesUntilOver(await world(), (now) => now - Math.min(now, last))).toBe(75)
})

test('200: the access token lasts half of the idle timeout, and no longer than the session', async () => {
  const { ports, page } = await world()
  await ports.settings.save({ 'auth.session_idle_minutes': 20 })
  expect((await page.refresh()).json.expires_in).toBe(600)
  const other = await signedInPage(ports)
  expect(other.answer.json.expires_in).toBe(600)
  ports.clock.advance(15 * minute)
  expect((await other.refresh({ idle: 15 * 60 })).json.expires_in).toBe(300)
})

test('200: finds its cookie beside one that another port planted', async () => {
  const { ports, page } = await world()
  const other = await signedInPage(ports)
  const forged = `cs_8080_0a1b2c3d=csb_${'0'.repeat(36)}.${'A'.repeat(43)}`
  const cookie = [forged, other.cookie, 'x=y', page.cookie].join('; ')
  expect((await page.refresh({ cookie })).status).toBe(200)
  expect((await other.refresh()).status).toBe(200)
})

test('400: the time since the last use is not a whole number of seconds', async () => {
  const { page } = await world()
  for (const idle of [-1, 1.5]) expect((await page.refresh({ idle })).status).toBe(400)
})

test('400: the request does not come from a page', async () => {
  const { ports, page } = await world()
  const { default: refresh } = await import('./refresh.ts')
  const headers = { cookie: page.cookie, 'x-browser-key': page.key }
  expect((await call(refresh, { ports, headers })).status).toBe(400)
  expect((await page.refresh()).status).toBe(200)
})

test('401: the cookie without its key changes nothing', async () => {
  const { ports, page, isAlive } = await world()
  const other = await signedInPage(ports)
  const keys = ['', `csk_${'A'.repeat(43)}`, other.key, `${page.key}A`, page.key.slice(4)]
  for (const key of keys) {
    const answer = await page.refresh({ key })
    expect(answer.status).toBe(401)
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await isAlive()).toBe(true)
  expect((await page.refresh()).status).toBe(200)
})

test('401: a replaced cookie without its key does not end the session either', async () => {
  const { ports, page, isAlive } = await world()
  const next = await page.refresh()
  ports.clock.advance(minute)
  for (const key of ['', `csk_${'A'.repeat(43)}`]) {
    expect((await page.refresh({ key })).status).toBe(401)
  }
  expect(await isAlive()).toBe(true)
  expect((await page.refresh({ cookie: cookieOf(next.headers) })).status).toBe(200)
})

test('401: the key without a cookie, or with one that was never issued', async () => {
  const { page, isAlive } = await world()
  const id = /csb_([0-9a-f-]{36})/.exec(page.cookie)?.[1]
  for (const cookie of ['', 'cs_8080_0a1b2c3d=', page.cookie.replace('8080', '8081')]) {
    expect((await page.refresh({ cookie })).status).toBe(401)
    expect(await isAlive()).toBe(true)
  }
  // The key belongs to the session, so this one was used by both halves: it counts as replaced.
  const cookie = `cs_8080_0a1b2c3d=csb_${id}.${'A'.repeat(43)}`
  expect((await page.refresh({ cookie })).status).toBe(401)
  expect(await isAlive()).toBe(false)
})

test('401: a cookie replaced twice ends the session, also within 10 s', async () => {
  const { page, isAlive } = await world()
  const next = await page.refresh()
  await page.refresh({ cookie: cookieOf(next.headers) })
  expect((await page.refresh()).status).toBe(401)
  expect(await isAlive()).toBe(false)
})

test('401: the session was idle for an hour, or its account is disabled', async () => {
  const { ports, page } = await world()
  ports.clock.advance(60 * minute)
  expect((await page.refresh()).status).toBe(401)
  const other = await world()
  const stored = await other.ports.accounts.find(other.page.anna.id)
  await other.ports.accounts.replace({ ...present(stored), disabled: true })
  expect((await other.page.refresh()).status).toBe(401)
})

test('401: pages that refresh but that are not used end after an hour', async () => {
  const here = await world()
  expect(await minutesUntilOver(here, (now) => now)).toBe(60)
  expect(await here.isAlive()).toBe(false)
})

test('401: the access token of a page that is idle is refused too', async () => {
  const { ports, isAlive } = await world()
  ports.clock.advance(5 * minute)
  expect(await isAlive()).toBe(true)
  await ports.settings.save({ 'auth.session_idle_minutes': 4 })
  expect(await isAlive()).toBe(false)
})

test('401: a use after the idle timeout does not revive the session', async () => {
  const { ports, page } = await world()
  ports.clock.advance(61 * minute)
  expect((await page.refresh({ idle: 0 })).status).toBe(401)
})

test('401: the endpoints for other clients neither accept a browser session nor end it', async () => {
  const { ports, page, isAlive } = await world()
  const cookie = page.cookie.split('=')[1] ?? ''
  const secret = cookie.split('.')[1] ?? ''
  const id = /csb_([0-9a-f-]{36})/.exec(cookie)?.[1]
  const forged = `csr_${id}.${page.key.slice(4, 26)}.${secret}`
  for (const refresh_token of [cookie, cookie.replace('csb_', 'csr_'), forged, page.key]) {
    expect((await call(plainRefresh, { ports, body: { refresh_token } })).status).toBe(401)
    await call(plainLogout, { ports, body: { refresh_token } })
    expect(await isAlive()).toBe(true)
  }
  expect((await page.refresh()).status).toBe(200)
})
