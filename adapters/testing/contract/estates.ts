import { expect, test } from 'vitest'
import type { EstateRecord } from '../../../functions/core/records/estate.ts'
import { present } from '../present.ts'
import { count, type NewWorld } from './world.ts'

/** Returns a record of an estate with this many stacks. */
const estate = (id: string, stacks = 1): EstateRecord => {
  const all = Array.from({ length: stacks }, (_, at) => ({
    section: 'stacks' as const,
    name: `stack-with-a-long-name-${at}`,
  }))
  return {
    id,
    things: all.map((one) => ({ ...one, createdAt: 1, at: 2, by: 'ada' })),
    last: {
      id: 'apply-1',
      accountId: 'account-1',
      by: 'ada',
      prune: false,
      startedAt: 2,
      finishedAt: null,
      steps: all.map((one) => ({
        ...one,
        action: 'create',
        state: 'waiting',
        problems: ['the host cannot be reached'],
      })),
    },
  }
}

/** Tests the port `Estates`, except what `collectionContract` covers. */
export function estatesContract(newWorld: NewWorld) {
  test('stores the largest file that can be applied', async () => {
    const { stores, peer } = await newWorld()
    const large = estate('home', 4000)
    expect(await stores.estates.create(large)).toBe(true)
    expect(await peer.estates.find('home')).toEqual({ ...large, revision: expect.any(Number) })
  })

  test('creates a name once, and only one of two writers replaces it', async () => {
    const { stores, peer } = await newWorld()
    const made = [stores, peer].map(({ estates }) => estates.create(estate('home')))
    expect(count(await Promise.all(made), true)).toBe(1)
    const read = present(await stores.estates.find('home'))
    expect(await peer.estates.replace({ ...read, things: [] })).toBeDefined()
    expect(await stores.estates.replace(read)).toBeUndefined()
    expect((await stores.estates.find('home'))?.things).toEqual([])
  })
}
