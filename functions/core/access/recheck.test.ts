import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentHost } from '../../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import { authenticate } from '../../kit/authenticate.ts'
import type { Account } from '../records/account.ts'
import { makeApiToken } from './api-token.ts'
import { recheck, recheckEvery } from './recheck.ts'

const day = 86_400_000

/**
 * The user anna watches something on the host `lab`, with a session and with an API token. `seen`
 * returns which of the two still has access.
 */
async function world() {
  const ports = memoryPorts()
  await ports.hosts.create(agentHost('lab', ['lab']))
  const own = { username: 'anna', role: 'viewer', scopeTags: ['lab'] }
  const { id } = await accountOf(ports, own)
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const now = ports.clock.now()
  const about = { id: 'ci', accountId: id, name: 'ci', prefix: 'cst_', hash, scopeTags: [] }
  const until = { createdAt: now, expiresAt: now + 2 * day, lastUsedAt: null }
  await ports.apiTokens.create({ ...about, ...until })
  const bySession = await authenticate(`Bearer ${await signIn(ports, own)}`, ports)
  const byToken = await authenticate(`Bearer ${token}`, ports)
  const watched = { access: 'containers:read', hostId: 'lab' } as const
  const seen = async () => {
    const answers = await Promise.all(
      [bySession, byToken].map((caller) => recheck(caller, watched, ports)),
    )
    return answers.map((answer) => answer !== undefined)
  }
  const change = async (to: Partial<Account>) => {
    const account = await ports.accounts.find(id)
    await ports.accounts.replace({ ...present(account), ...to })
  }
  return { ports, id, seen, change, bySession }
}

test('an authorized caller keeps access, even after the access token expires', async () => {
  const { ports, seen } = await world()
  expect(await seen()).toEqual([true, true])
  ports.clock.advance(3_600_000)
  expect(await seen()).toEqual([true, true])
  expect(recheckEvery).toBeLessThanOrEqual(4000)
})

test('a session ends with its last day, a token at its exact expiry', async () => {
  const { ports, seen } = await world()
  ports.clock.advance(day)
  expect(await seen()).toEqual([false, true])
  ports.clock.advance(day - 1)
  expect(await seen()).toEqual([false, true])
  ports.clock.advance(1)
  expect(await seen()).toEqual([false, false])
})

test.each<[string, Partial<Account>, boolean[]]>([
  ['a change to a role without the permission', { role: 'none' }, [false, false]],
  ['a move to other hosts', { scopeTags: ['office'] }, [false, false]],
  ['the account was disabled', { disabled: true }, [false, false]],
  ['the sessions were ended', { sessionsValidFrom: Number.MAX_SAFE_INTEGER }, [false, true]],
  ['a grant of more permissions', { role: 'admin', scopeTags: [] }, [true, true]],
])('rechecks access after %s', async (_name, to, expected) => {
  const { seen, change } = await world()
  await change(to)
  expect(await seen()).toEqual(expected)
})

test('returns the current permissions', async () => {
  const { ports, change, bySession } = await world()
  await change({ role: 'operator', scopeTags: ['lab', 'office'] })
  const now = await recheck(bySession, { access: 'signed-in' }, ports)
  expect(now?.scopeTags).toEqual(['lab', 'office'])
  expect(now?.permissions.has('containers:exec')).toBe(true)
})

test('denies access after a logout, a revoked token or a deleted account', async () => {
  const { ports, id, seen } = await world()
  await ports.sessions.removeByAccount(id)
  expect(await seen()).toEqual([false, true])
  await ports.apiTokens.remove('ci')
  expect(await seen()).toEqual([false, false])
  const other = await world()
  await other.ports.accounts.remove(other.id)
  expect(await other.seen()).toEqual([false, false])
})

test('denies access when the host changes its tags or is deleted', async () => {
  const { ports, seen, bySession } = await world()
  await ports.hosts.replace({ ...present(await ports.hosts.find('lab')), tags: ['office'] })
  expect(await seen()).toEqual([false, false])
  expect(await recheck(bySession, { access: 'signed-in', hostId: 'none' }, ports)).toBeUndefined()
})
