import { expect, test } from 'vitest'
import type { Caller } from '../records/account.ts'
import { builtinRoles } from '../records/permissions.ts'
import { requireSession, requireTagsWithin, requireWithin } from './grant.ts'
import { newAccount } from './user.ts'

function caller(role: string, scopeTags: string[] = []): Caller {
  const account = newAccount({ id: 'a', username: 'anna', role, passwordHash: '' }, 0)
  const credential = { kind: 'session', sessionId: 's', tokenId: 't', expiresAt: 1 } as const
  return { account, scopeTags, credential, permissions: permissionsOf(role) }
}

const permissionsOf = (role: string) => new Set<string>(builtinRoles[role])
const rights = (role: string) => ({ role, scopeTags: [], permissions: permissionsOf(role) })

const allows = (check: () => void) => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

test('403: cannot grant permissions that the caller does not have', () => {
  const may = (role: string, given: string) =>
    allows(() => requireWithin(caller(role), rights(given), 'user'))
  expect([may('admin', 'admin'), may('admin', 'viewer'), may('operator', 'viewer')]).toEqual([
    true,
    true,
    true,
  ])
  expect([may('operator', 'admin'), may('viewer', 'operator')]).toEqual([false, false])
})

test('403: cannot grant a wider scope than the caller has', () => {
  const may = (own: string[], given: string[]) =>
    allows(() => requireTagsWithin(caller('admin', own), given))
  expect([may([], []), may([], ['lab']), may(['lab', 'office'], ['lab'])]).toEqual([
    true,
    true,
    true,
  ])
  expect([may(['lab'], []), may(['lab'], ['office']), may(['lab'], ['lab', 'office'])]).toEqual([
    false,
    false,
    false,
  ])
  // The scope of a token whose user was moved to other hosts.
  expect([may([''], []), may([''], ['lab'])]).toEqual([false, false])
})

test('403: an API token cannot do what requires a session', () => {
  expect(requireSession(caller('viewer'))).toBe('s')
  const credential = { kind: 'api_token', tokenId: 't', hash: 'h', expiresAt: null } as const
  expect(() => requireSession({ ...caller('viewer'), credential })).toThrow('API token')
})
