import { expect, test } from 'vitest'
import { directIdentities } from '../../../functions/core/access/identities.ts'
import type { Identities } from '../../../functions/core/ports/identities.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { present } from '../../testing/present.ts'
import { cacheIdentities } from './identities-cache.ts'

/** Returns a signed-in account behind the cache, a count of reads from the store, and a clock. */
async function world(entries = 100) {
  const ports = memoryPorts()
  await signIn(ports, { username: 'anna' })
  const anna = present(await ports.accounts.findByUsername('anna'))
  const sessions = await ports.sessions.listByAccount(anna.id)
  const session = present(sessions[0])
  const direct = directIdentities(ports)
  const reads: string[] = []
  const inner: Identities = {
    bySession(id) {
      reads.push(id)
      return direct.bySession(id)
    },
    byApiToken(hash) {
      reads.push(hash)
      return direct.byApiToken(hash)
    },
  }
  const time = { now: 0 }
  const limits = { age: 1000, entries }
  const cached = cacheIdentities(inner, ports, limits, () => time.now)
  return { ports, anna, session, inner, reads, time, cached }
}

test('concurrent lookups share one read, cached for less than a second', async () => {
  const { session, reads, time, cached } = await world()
  const ask = () => cached.identities.bySession(session.id)
  await Promise.all(Array.from({ length: 50 }, ask))
  time.now = 999
  await ask()
  expect(reads).toHaveLength(1)
  time.now = 1000
  expect((await ask())?.account.username).toBe('anna')
  expect(reads).toHaveLength(2)
})

test('the cache time starts at the start of the read', async () => {
  const { session, inner, reads, time, cached } = await world()
  const read = inner.bySession
  inner.bySession = async (id) => {
    const answer = await read(id)
    time.now += 1000
    return answer
  }
  await cached.identities.bySession(session.id)
  await cached.identities.bySession(session.id)
  expect(reads).toHaveLength(2)
})

test('sees a change of another process within a second', async () => {
  const { ports, session, time, cached } = await world()
  await cached.identities.bySession(session.id)
  await ports.sessions.remove(session.id)
  time.now = 1000
  expect(await cached.identities.bySession(session.id)).toBeUndefined()
})

test('sees a change of this process at once', async () => {
  const { anna, session, cached } = await world()
  const shown = async () => (await cached.identities.bySession(session.id))?.account.role
  expect(await shown()).toBe('viewer')
  const stored = await cached.accounts.find(anna.id)
  await cached.accounts.replace({ ...present(stored), role: 'admin' })
  expect(await shown()).toBe('admin')
  await cached.sessions.removeByAccount(anna.id, session.id)
  expect(await shown()).toBe('admin')
  await cached.sessions.remove(session.id)
  expect(await shown()).toBeUndefined()
})

test('does not cache a read that overlaps a change', async () => {
  const { anna, session, inner, cached } = await world()
  const read = inner.bySession
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  inner.bySession = async (id) => {
    const found = await read(id)
    await answered
    return found
  }
  const slow = cached.identities.bySession(session.id)
  inner.bySession = read
  await cached.accounts.remove(anna.id)
  answer()
  await slow
  expect(await cached.identities.bySession(session.id)).toBeUndefined()
})

test('caches neither errors nor unknown identities', async () => {
  const { session, inner, reads, cached } = await world()
  const read = inner.bySession
  inner.bySession = async () => {
    throw new Error('the store does not respond')
  }
  await expect(cached.identities.bySession(session.id)).rejects.toThrow('does not respond')
  inner.bySession = read
  expect(await cached.identities.bySession(session.id)).toBeDefined()
  await cached.identities.bySession('stranger')
  await cached.identities.bySession('stranger')
  expect(reads.filter((id) => id === 'stranger')).toHaveLength(2)
})

test('rejects a revoked API token at once', async () => {
  const { ports, cached } = await world()
  const { id: accountId } = await accountOf(ports, { username: 'anna' })
  const token = { id: 't', accountId, name: 'ci', prefix: 'cst_', hash: 'h', scopeTags: [] }
  await cached.apiTokens.create({ ...token, createdAt: 0, expiresAt: null, lastUsedAt: null })
  expect(await cached.identities.byApiToken('h')).toBeDefined()
  await cached.apiTokens.remove('t')
  expect(await cached.identities.byApiToken('h')).toBeUndefined()
})

test('applies a role change of this process to all its users at once', async () => {
  const { ports, anna, session, cached } = await world()
  const createdAt = 0
  await cached.roles.create({ id: 'own', permissions: ['stacks:read'], createdAt })
  const stored = await cached.accounts.find(anna.id)
  await cached.accounts.replace({ ...present(stored), role: 'own' })
  const may = async () => {
    const found = await cached.identities.bySession(session.id)
    return [...(found?.permissions ?? [])]
  }
  expect(await may()).toEqual(['stacks:read'])
  const role = await ports.roles.find('own')
  await cached.roles.replace({ ...present(role), permissions: ['stacks:deploy'] })
  expect(await may()).toEqual(['stacks:deploy'])
  await cached.roles.remove('own')
  expect(await may()).toEqual([])
})

test('limits the cache and evicts the oldest first', async () => {
  const { ports, anna, session, reads, cached } = await world(3)
  for (const id of ['a', 'b', 'c']) await ports.sessions.create({ ...session, id })
  for (const id of [session.id, 'a', 'b', 'c']) await cached.identities.bySession(id)
  await cached.identities.bySession('c')
  expect(reads).toHaveLength(4)
  await cached.identities.bySession(session.id)
  expect(reads).toHaveLength(5)
  expect(anna.username).toBe('anna')
})
