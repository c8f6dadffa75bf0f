import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentHost } from '../../../adapters/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import { authenticate } from '../../kit/authenticate.ts'
import type { Account } from './account.ts'
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
    await ports.accounts.replace({ ...account!, ...to })
  }
  return { ports, id, seen, change, bySession }
}

test('who may goes on, also when the access token that began it has expired', async () => {
  const { ports, seen } = await world()
  expect(await seen()).toEqual([true, true])
  ports.clock.advance(3_600_000)
  expect(await seen()).toEqual([true, true])
  expect(recheckEvery).toBeLessThanOrEqual(4000)
})

test('a session ends with its last day, a token to the millisecond', async () => {
  const { ports, seen } = await world()
  ports.clock.advance(day)
  expect(await seen()).toEqual([false, true])
  ports.clock.advance(day - 1)
  expect(await seen()).toEqual([false, true])
  ports.clock.advance(1)
  expect(await seen()).toEqual([false, false])
})

test.each<[string, Partial<Account>, boolean[]]>([
  ['another role without the permission', { role: 'none' }, [false, false]],
  ['other hosts', { scopeTags: ['office'] }, [false, false]],
  ['a disabled account', { disabled: true }, [false, false]],
  ['sessions that were ended', { sessionsValidFrom: Number.MAX_SAFE_INTEGER }, [false, true]],
  ['more rights', { role: 'admin', scopeTags: [] }, [true, true]],
])('%s', async (_name, to, expected) => {
  const { seen, change } = await world()
  await change(to)
  expect(await seen()).toEqual(expected)
})

test('the rights that come back are those of now', async () => {
  const { ports, change, bySession } = await world()
  await change({ role: 'operator', scopeTags: ['lab', 'office'] })
  const now = await recheck(bySession, { access: 'signed-in' }, ports)
  expect(now?.scopeTags).toEqual(['lab', 'office'])
  expect(now?.permissions.has('containers:exec')).toBe(true)
})

test('a logout, a revoked token, a deleted account', async () => {
  const { ports, id, seen } = await world()
  await ports.sessions.removeByAccount(id)
  expect(await seen()).toEqual([false, true])
  await ports.apiTokens.remove('ci')
  expect(await seen()).toEqual([false, false])
  const other = await world()
  await other.ports.accounts.remove(other.id)
  expect(await other.seen()).toEqual([false, false])
})

test('a host that changed its tags, or that is no more', async () => {
  const { ports, seen, bySession } = await world()
  await ports.hosts.replace({ ...(await ports.hosts.find('lab'))!, tags: ['office'] })
  expect(await seen()).toEqual([false, false])
  expect(await recheck(bySession, { access: 'signed-in', hostId: 'none' }, ports)).toBeUndefined()
})
