import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { rawClient } from '../../adapters/testing/raw-http.ts'
import login from '../../functions/auth/login.ts'
import { recheck } from '../../functions/core/access/recheck.ts'
import { authenticate } from '../../functions/kit/authenticate.ts'
import beginMfa from '../../functions/me/mfa/create.ts'
import verifyMfa from '../../functions/me/mfa/verify.ts'
import { call } from '../harness/call.ts'
import { codeAt, step } from '../harness/second-factor.ts'
import { api, newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'
import { accountOf, signIn } from '../harness/sign-in.ts'
import { ownPassword, startTarget, upgrade } from './attacker.ts'

const target = startTarget()

test('secrets: a token in the query does not reach the log', async () => {
  const secret = randomBytes(16).toString('hex')
  for (const query of [`token=${secret}`, `access_token=${secret}`, `ticket=${secret}`]) {
    await target.call('GET', `/me?${query}`)
    await target.raw(upgrade(`/api/v1/ws/events?${query}`))
  }
  await target.call('GET', `/nowhere?token=${secret}`, { token: secret })
  const logged = async () => target.running.lines.filter((line) => line.includes('/nowhere'))
  await until(logged, (lines) => lines.length > 0, 10)
  expect(target.running.lines.join('\n')).not.toContain(secret)
})

test('secrets: every service has its own signing key', async () => {
  const place = newPlace()
  try {
    const running = await startIn(place)
    const foreign = await setUpAdmin(place, running)
    expect((await api(running, 'GET', '/users', { token: foreign })).status).toBe(200)
    expect((await target.call('GET', '/users', { token: foreign })).status).toBe(401)
    const file = join('data', 'signing-keys.json')
    const own = readFileSync(join(target.place.directory, file), 'utf8')
    expect(readFileSync(join(place.directory, file), 'utf8')).not.toBe(own)
    expect(statSync(join(place.directory, file)).mode & 0o777).toBe(0o600)
  } finally {
    await place.remove()
  }
  const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, claims] = target.tokens.admin.split('.')
  for (const alg of ['none', 'None', 'HS256', 'EdDSA']) {
    const forged = `${json({ alg, typ: 'at+jwt' })}.${claims}.`
    expect((await target.call('GET', '/me', { token: forged })).status, alg).toBe(401)
  }
})

test('cross-site WebSocket: rejects a foreign Origin', async () => {
  const token = target.tokens.admin
  const ticketOf = async () => (await target.call('POST', '/ws/ticket', { token })).json.ticket
  const open = async (path: string, headers: Record<string, string>) =>
    target.raw(upgrade(`${path}?ticket=${await ticketOf()}`, headers))
  for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    for (const path of ['/api/v1/ws/events', '//evil.example/api/v1/ws/events']) {
      expect((await open(path, { Origin })).status, `${Origin} ${path}`).not.toBe(101)
    }
  }
  // A ticket opens the feed without an Origin, so the rejection was due to the Origin.
  expect((await open('/api/v1/ws/events', {})).status).toBe(101)
})

test('login: counts failures under all spellings of a name together', async () => {
  const spellings = ['eve', 'EVE', ' eve ', 'Ｅve', 'ｅｖｅ']
  const guess = (username: string) =>
    target.call('POST', '/auth/login', { body: { username, password: 'a guess' } })
  for (const username of spellings) expect((await guess(username)).status).toBe(401)
  for (const username of spellings) expect((await guess(username)).status).toBe(423)
})

/** Returns anna with her second factor enabled. */
async function withFactor() {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash(ownPassword)
  await accountOf(ports, { username: 'anna', passwordHash })
  const as = { token: await signIn(ports, { username: 'anna' }) }
  const { secret } = (await call(beginMfa, { ports, as, body: { password: ownPassword } })).json
  const code = () => codeAt(secret, ports.clock.now())
  expect((await call(verifyMfa, { ports, as, body: { totp_code: code() } })).status).toBe(200)
  const attempt = async (totp_code?: string) => {
    const body = { username: 'anna', password: ownPassword, totp_code }
    return (await call(login, { ports, body })).status
  }
  return { ports, code, attempt }
}

test('login: counts wrong codes', async () => {
  const { ports, code, attempt } = await withFactor()
  ports.clock.advance(step)
  const wrong = code() === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await attempt(wrong)).toBe(401)
    // A correct password alone must not reset the counter.
    if (tries < 4) expect(await attempt()).toBe(401)
  }
  expect(await attempt(code())).toBe(423)
})

test('login: accepts a code once', async () => {
  const { ports, code, attempt } = await withFactor()
  expect(await attempt(code())).toBe(401)
  ports.clock.advance(step)
  const once = code()
  const statuses = await Promise.all(Array.from({ length: 5 }, () => attempt(once)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})

test('login: rejects a token that is cut or extended', async () => {
  const { admin } = target.tokens
  const body = { name: 'ci' }
  const made = await target.call('POST', '/api-tokens', { body, token: admin })
  const { token } = made.json as { token: string }
  const statusWith = async (one: string) => (await target.call('GET', '/me', { token: one })).status
  expect([await statusWith(admin), await statusWith(token)]).toEqual([200, 200])
  for (const whole of [admin, token]) {
    for (const cut of [1, 2, 4, 10, 20]) expect(await statusWith(whole.slice(0, -cut))).toBe(401)
    for (const more of ['=', '==', 'A', '.', '.A']) expect(await statusWith(whole + more)).toBe(401)
  }
  expect(await statusWith(admin.split('.').slice(0, 2).join('.'))).toBe(401)
  expect(await statusWith(`${admin.split('.').slice(0, 2).join('.')}.`)).toBe(401)
})

test('streams: ends when the permissions of its reader are revoked', async () => {
  const ports = memoryPorts()
  const as = { username: 'anna', role: 'operator' }
  const caller = await authenticate(`Bearer ${await signIn(ports, as)}`, ports)
  const watches = () => recheck(caller, { access: 'containers:exec', hostId: 'local' }, ports)
  expect(await watches()).toBeDefined()
  const account = await ports.accounts.find(caller.account.id)
  await ports.accounts.replace({ ...present(account), role: 'viewer' })
  expect(await watches()).toBeUndefined()
})

test('limits: rejects a body without a length or with a wrong one', async () => {
  const head = (path: string, lines: string) =>
    `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${target.tokens.admin}\r\n${lines}\r\n`
  const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`
  for (const path of ['/auth/login', '/users', '/stacks']) {
    const client = await rawClient(target.port)
    client.write(head(path, 'Transfer-Encoding: chunked\r\n'))
    const refused = client.answer()
    // Five megabytes exceed the limit of every endpoint.
    for (let sent = 0; sent < 80 && !client.socket.destroyed; sent += 1) client.write(chunk)
    expect((await refused).status, path).toBe(400)
    client.socket.destroy()
    const said = await target.raw(head(path, 'Content-Length: 99999999\r\n'))
    expect(said.status, path).toBe(400)
  }
  const packed = head('/users', 'Content-Encoding: gzip\r\nContent-Length: 2\r\n')
  expect((await target.raw(`${packed}{}`)).status).toBe(400)
  const both = head('/users', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n')
  expect((await target.raw(`${both}0\r\n\r\n`)).status).toBe(400)
})

test('packages: no version with a known vulnerability', () => {
  const path = join(import.meta.dirname, '../../package-lock.json')
  const { packages } = JSON.parse(readFileSync(path, 'utf8'))
  const minVersions: Record<string, string> = {
    hono: '4.12.21',
    '@hono/node-server': '2.1.6',
    ws: '8.21.1',
    tar: '7.5.8',
  }
  for (const [place, { version }] of Object.entries<{ version: string }>(packages)) {
    const wanted = minVersions[place.split('node_modules/').at(-1) ?? '']
    if (wanted) expect(atLeast(version, wanted), `${place} ${version}`).toBe(true)
  }
})

function atLeast(version: string, wanted: string): boolean {
  const [has = [], needs = []] = [version, wanted].map((text) => text.split(/[.-]/).map(Number))
  for (let at = 0; at < 3; at += 1) {
    const [one = 0, other = 0] = [has[at], needs[at]]
    if (one !== other) return one > other
  }
  return true
}
