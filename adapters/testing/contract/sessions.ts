import { expect, test } from 'vitest'
import { session } from './samples.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Sessions`. */
export function sessionsContract(newWorld: NewWorld) {
  test('finds a session by ID and by account', async () => {
    const { stores, peer, clock } = await newWorld()
    const end = clock.now() + 1000
    for (const id of ['s2', 's1']) await stores.sessions.create(session(id, 'ada', end))
    await stores.sessions.create(session('s3', 'bob', end))
    expect(await peer.sessions.find('s1')).toEqual(session('s1', 'ada', end))
    const listed = await peer.sessions.listByAccount('ada')
    expect(listed.map(({ id }) => id)).toEqual(['s1', 's2'])
  })

  test('a rotation replaces the token', async () => {
    const { stores, peer, clock } = await newWorld()
    const end = clock.now() + 1000
    await stores.sessions.create(session('s1', 'ada', end))
    const next = {
      ...session('s1', 'ada', end),
      currentHash: 'second',
      generation: 1,
      lastUsedAt: 9,
    }
    expect(await stores.sessions.rotate('s1', 'first', 'second', { usedAt: 9 })).toEqual({
      outcome: 'rotated',
      session: next,
    })
    expect(await peer.sessions.find('s1')).toEqual(next)
    expect((await peer.sessions.listByAccount('ada'))[0]).toEqual(next)
    expect(await peer.sessions.rotate('s1', 'first', 'third', { usedAt: 10 })).toEqual({
      outcome: 'reused',
    })
    expect(await peer.sessions.rotate('none', 'first', 'third', { usedAt: 10 })).toEqual({
      outcome: 'gone',
    })
  })

  test('a rotation that happened before is not a new one, though it has the same successor', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.sessions.create(session('s1', 'ada', clock.now() + 1000))
    await stores.sessions.rotate('s1', 'first', 'second', { usedAt: 9 })
    expect(await peer.sessions.rotate('s1', 'first', 'second', { usedAt: 10 })).toEqual({
      outcome: 'reused',
    })
    expect((await peer.sessions.find('s1'))?.lastUsedAt).toBe(9)
  })

  test('a rotation records when a person last used the session, if it says so', async () => {
    const { stores, peer, clock } = await newWorld()
    const begun = { ...session('s1', 'ada', clock.now() + 1000), activeAt: 5 }
    await stores.sessions.create(begun)
    expect((await peer.sessions.find('s1'))?.activeAt).toBe(5)
    await stores.sessions.rotate('s1', 'first', 'second', { usedAt: 9 })
    expect((await peer.sessions.find('s1'))?.activeAt).toBe(5)
    const times = { usedAt: 10, activeAt: 8 }
    const rotated = await peer.sessions.rotate('s1', 'second', 'third', times)
    const next = { ...begun, currentHash: 'third', generation: 2, lastUsedAt: 10, activeAt: 8 }
    expect(rotated).toEqual({ outcome: 'rotated', session: next })
    expect(await stores.sessions.find('s1')).toEqual(next)
  })

  test('fifty concurrent rotations of one token: one succeeds', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.sessions.create(session('s1', 'ada', clock.now() + 1000))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).sessions.rotate('s1', 'first', `next-${index}`, { usedAt: 9 }),
      ),
    )
    const outcomes = answers.map(({ outcome }) => outcome).sort()
    expect(outcomes).toEqual([...Array(49).fill('reused'), 'rotated'])
    expect((await stores.sessions.find('s1'))?.generation).toBe(1)
  })

  test('an expired session is gone', async () => {
    const { stores, clock } = await newWorld()
    await stores.sessions.create(session('s1', 'ada', clock.now() + 1000))
    clock.advance(1000)
    expect(await stores.sessions.find('s1')).toBeUndefined()
    expect(await stores.sessions.listByAccount('ada')).toEqual([])
    expect(await stores.sessions.rotate('s1', 'first', 'second', { usedAt: 9 })).toEqual({
      outcome: 'gone',
    })
  })

  test('a removed session is gone everywhere', async () => {
    const { stores, peer, clock } = await newWorld()
    const end = clock.now() + 1000
    for (const id of ['s1', 's2']) await stores.sessions.create(session(id, 'ada', end))
    await peer.sessions.remove('s1')
    await peer.sessions.remove('s1')
    expect(await stores.sessions.find('s1')).toBeUndefined()
    expect(await stores.sessions.rotate('s1', 'first', 'second', { usedAt: 9 })).toEqual({
      outcome: 'gone',
    })
    expect(await stores.sessions.listByAccount('ada')).toHaveLength(1)
  })

  test('removes all sessions of an account except one', async () => {
    const { stores, peer, clock } = await newWorld()
    const end = clock.now() + 1000
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`)
    await Promise.all(ids.map((id) => stores.sessions.create(session(id, 'ada', end))))
    await stores.sessions.create(session('other', 'bob', end))
    await peer.sessions.removeByAccount('ada', 's7')
    expect((await stores.sessions.listByAccount('ada')).map(({ id }) => id)).toEqual(['s7'])
    expect(await stores.sessions.find('s8')).toBeUndefined()
    await peer.sessions.removeByAccount('ada')
    expect(await stores.sessions.find('s7')).toBeUndefined()
    expect(await stores.sessions.find('other')).toBeDefined()
  })
}
