import { expect, test } from 'vitest'
import type { Session } from '../records/account.ts'
import { defaultSettings } from '../records/settings.ts'
import { accessTokenTime, sessionEnd, sessionExpiry } from './session.ts'
import { newAccount } from './user.ts'

const hour = 3_600_000
const account = newAccount({ id: 'a', username: 'anna', role: 'viewer', passwordHash: '' }, 0)
const session: Session = {
  id: 's',
  accountId: 'a',
  familyHash: '',
  currentHash: '',
  generation: 0,
  remember: false,
  createdAt: 1000,
  lastUsedAt: 1000,
  expiresAt: 1000 + 24 * hour,
  ip: '',
  userAgent: '',
}
const end = (use: 'access' | 'refresh', given: Partial<Session> = {}, changes = {}) =>
  sessionEnd({ ...session, ...given }, { ...account, ...changes }, defaultSettings, {
    use,
    now: 24 * hour,
  })

test('a session expires a day after the login, or after two weeks if remembered', () => {
  expect(sessionExpiry(0, false, defaultSettings)).toBe(24 * hour)
  expect(sessionExpiry(0, true, defaultSettings)).toBe(14 * 24 * hour)
})

test('a refresh must follow within an hour unless the session is remembered', () => {
  expect(end('refresh')).toBe(1000 + hour)
  expect(end('refresh', { lastUsedAt: 1000 + 23.5 * hour })).toBe(1000 + 24 * hour)
  expect(end('refresh', { remember: true })).toBe(session.expiresAt)
  expect(end('access')).toBe(session.expiresAt)
})

test('a browser session ends an hour after its last use, however often it was refreshed', () => {
  const used = { activeAt: 1000, lastUsedAt: 20 * hour }
  expect([end('access', used), end('refresh', used)]).toEqual([1000 + hour, 1000 + hour])
  expect(end('access', { ...used, remember: true })).toBe(session.expiresAt)
})

test('an access token lasts 15 minutes, half of the idle timeout, or until a page is idle', () => {
  const time = (given: Partial<Session>, minutes: number, now = 1000) => {
    const settings = { ...defaultSettings, 'auth.session_idle_minutes': minutes }
    return accessTokenTime({ ...session, ...given }, now, settings) / 60_000
  }
  expect([time({}, 60), time({}, 20), time({}, 2)]).toEqual([15, 10, 1])
  expect([time({ activeAt: 1000 }, 60), time({ remember: true }, 2)]).toEqual([15, 15])
  expect(time({ activeAt: 1000 }, 60, 1000 + 0.9 * hour)).toBeCloseTo(6)
})

test('ending the sessions of an account ends all older ones except the kept one', () => {
  const changes = { sessionsValidFrom: 1001 }
  expect([end('access', {}, changes), end('refresh', {}, changes)]).toEqual([0, 0])
  expect(end('access', { createdAt: 1001 }, changes)).toBe(session.expiresAt)
  expect(end('access', {}, { ...changes, keptSessionId: 's' })).toBe(session.expiresAt)
})

test('rejects a session used in the future, but tolerates clocks that differ by minutes', () => {
  const used = (minutes: number) => ({ lastUsedAt: 24 * hour + minutes * 60_000, remember: true })
  expect([end('access', used(6)), end('refresh', used(6))]).toEqual([0, 0])
  expect(end('access', used(5))).toBe(session.expiresAt)
})
