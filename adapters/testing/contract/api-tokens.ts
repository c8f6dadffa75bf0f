import { expect, test } from 'vitest'
import { apiToken } from './samples.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `ApiTokens`. */
export function apiTokensContract(newWorld: NewWorld) {
  test('finds a token by ID, by hash and in lists', async () => {
    const { stores, peer } = await newWorld()
    for (const [id, owner] of [
      ['t2', 'ada'],
      ['t1', 'ada'],
      ['t3', 'bob'],
    ] as const) {
      await stores.apiTokens.create(apiToken(id, owner))
    }
    expect(await peer.apiTokens.find('t1')).toEqual(apiToken('t1', 'ada'))
    expect(await peer.apiTokens.findByHash('hash-of-t1')).toEqual(apiToken('t1', 'ada'))
    expect(await peer.apiTokens.findByHash('t1')).toBeUndefined()
    expect((await peer.apiTokens.list('ada')).map(({ id }) => id)).toEqual(['t1', 't2'])
    expect((await peer.apiTokens.list()).map(({ id }) => id)).toEqual(['t1', 't2', 't3'])
  })

  test('a revoked token is gone everywhere', async () => {
    const { stores, peer } = await newWorld()
    await stores.apiTokens.create(apiToken('t1', 'ada'))
    expect(await peer.apiTokens.remove('t1')).toBe(true)
    expect(await stores.apiTokens.findByHash('hash-of-t1')).toBeUndefined()
    expect(await stores.apiTokens.find('t1')).toBeUndefined()
    expect(await stores.apiTokens.list()).toEqual([])
    expect(await stores.apiTokens.remove('t1')).toBe(false)
  })

  test('an expired token is listed but not found by hash', async () => {
    const { stores, clock } = await newWorld()
    await stores.apiTokens.create(apiToken('t1', 'ada', clock.now() + 1000))
    expect(await stores.apiTokens.findByHash('hash-of-t1')).toBeDefined()
    clock.advance(1000)
    expect(await stores.apiTokens.findByHash('hash-of-t1')).toBeUndefined()
    expect(await stores.apiTokens.list('ada')).toHaveLength(1)
  })

  test('records a use once a minute across all processes', async () => {
    const { stores, peer } = await newWorld()
    await stores.apiTokens.create(apiToken('t1', 'ada'))
    await stores.apiTokens.touch('t1', 100_000)
    await stores.apiTokens.touch('t1', 130_000)
    await peer.apiTokens.touch('t1', 159_000)
    expect((await peer.apiTokens.find('t1'))?.lastUsedAt).toBe(100_000)
    await stores.apiTokens.touch('t1', 160_000)
    expect((await peer.apiTokens.findByHash('hash-of-t1'))?.lastUsedAt).toBe(160_000)
  })

  test('records rights once, and keeps those that a token was made with', async () => {
    const { stores, peer } = await newWorld()
    const viewer = { role: 'viewer', permissions: null, scopeTags: ['lab'] }
    const custom = { role: 'reader', permissions: ['stacks:read'], scopeTags: [] }
    await stores.apiTokens.create(apiToken('t1', 'ada'))
    await stores.apiTokens.create({ ...apiToken('t2', 'ada'), rights: custom })
    await stores.apiTokens.recordRights('t1', viewer)
    for (const id of ['t1', 't2', 'none']) {
      await peer.apiTokens.recordRights(id, { ...viewer, role: 'admin' })
    }
    expect((await peer.apiTokens.findByHash('hash-of-t1'))?.rights).toEqual(viewer)
    expect((await peer.apiTokens.find('t2'))?.rights).toEqual(custom)
    expect((await stores.apiTokens.list()).map(({ id }) => id)).toEqual(['t1', 't2'])
  })

  test('a use does not bring a revoked token back', async () => {
    const { stores, peer } = await newWorld()
    await stores.apiTokens.create(apiToken('t1', 'ada'))
    await peer.apiTokens.remove('t1')
    await stores.apiTokens.touch('t1', 100_000)
    await stores.apiTokens.recordRights('t1', { role: 'a', permissions: null, scopeTags: [] })
    expect(await stores.apiTokens.findByHash('hash-of-t1')).toBeUndefined()
    expect(await stores.apiTokens.list()).toEqual([])
  })
}
