import { expect, test } from 'vitest'
import type { Owner } from '../../../functions/core/records/owner.ts'
import type { NewWorld } from './world.ts'

const owner = (given: Partial<Owner> = {}): Owner => ({
  hostId: 'local',
  kind: 'volume',
  name: 'shop_data',
  stack: 'shop',
  at: 1,
  ...given,
})

/** Tests the port `Owners`. */
export function ownersContract(newWorld: NewWorld) {
  test('fifty concurrent claims of a name: all learn the one owner', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).owners.claim(owner({ stack: `stack-${index}`, at: index })),
      ),
    )
    expect(new Set(answers.map(({ stack }) => stack)).size).toBe(1)
    expect(await peer.owners.find(owner())).toEqual(answers[0])
  })

  test('names are separate for each kind and host', async () => {
    const { stores, peer } = await newWorld()
    const all = [
      owner({ kind: 'image', name: 'docker.io/library/shop-web:latest' }),
      owner({ kind: 'network', stack: 'other' }),
      owner({ stack: 'third' }),
    ]
    for (const one of all) expect(await stores.owners.claim(one)).toEqual(one)
    const far = owner({ hostId: 'far#x', stack: 'fourth' })
    expect(await stores.owners.claim(far)).toEqual(far)
    expect(await peer.owners.list('local')).toEqual(all)
    expect(await peer.owners.list('far#x')).toEqual([far])
    expect(await peer.owners.list('far')).toEqual([])
  })

  test('a release removes only the record of that stack and frees the name', async () => {
    const { stores, peer } = await newWorld()
    await stores.owners.claim(owner())
    await peer.owners.release(owner({ stack: 'other' }))
    expect(await stores.owners.find(owner())).toEqual(owner())
    await peer.owners.release(owner())
    await peer.owners.release(owner())
    expect(await stores.owners.find(owner())).toBeUndefined()
    expect(await stores.owners.claim(owner({ stack: 'other' }))).toMatchObject({ stack: 'other' })
  })

  test('a replacement keeps what it is given, and replaces only the record of that stack', async () => {
    const { stores, peer } = await newWorld()
    const left = owner({ stackCreatedAt: 5, leftBy: { id: 'account', name: 'ada' } })
    expect(await stores.owners.replace(left)).toBe(false)
    expect(await stores.owners.find(left)).toBeUndefined()
    await stores.owners.claim(owner())
    expect(await peer.owners.replace({ ...left, stack: 'other' })).toBe(false)
    expect(await peer.owners.replace(left)).toBe(true)
    expect(await stores.owners.find(owner())).toEqual(left)
    expect(await stores.owners.claim(owner())).toEqual(left)
  })

  test('removing a stack removes its records on that host and no others', async () => {
    const { stores, peer } = await newWorld()
    const kept = [owner({ name: 'b', stack: 'other' }), owner({ hostId: 'far' })]
    for (const one of [owner(), owner({ kind: 'network' }), ...kept]) await stores.owners.claim(one)
    await peer.owners.removeByStack('local', 'shop')
    expect(await stores.owners.list('local')).toEqual([kept[0]])
    expect(await stores.owners.list('far')).toEqual([kept[1]])
  })
}
