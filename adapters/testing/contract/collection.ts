import { expect, test } from 'vitest'
import { present } from '../present.ts'
import { stack } from './samples.ts'
import { count, type NewWorld } from './world.ts'

/** Tests what all collections have in common, using the stacks. */
export function collectionContract(newWorld: NewWorld) {
  test('returns a record unchanged in every process', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.stacks.find('web')).toBeUndefined()
    expect(await stores.stacks.create(stack('web'))).toBe(true)
    expect(await peer.stacks.find('web')).toEqual({ ...stack('web'), revision: expect.any(Number) })
  })

  test('lists any number of records by ID', async () => {
    const { stores } = await newWorld()
    const ids = Array.from({ length: 40 }, (_, index) => `stack-${(index * 7) % 40}`)
    await Promise.all(ids.map((id) => stores.stacks.create(stack(id))))
    expect((await stores.stacks.list()).map(({ id }) => id)).toEqual([...ids].sort())
  })

  test('creates an ID once', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? stores : peer).stacks.create({ ...stack('web'), contentRevision: index }),
      ),
    )
    expect(count(answers, true)).toBe(1)
    const kept = await stores.stacks.find('web')
    expect(kept?.contentRevision).toBe(answers.indexOf(true))
  })

  test('replaces a record only if unchanged since it was read', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = present(await stores.stacks.find('web'))
    expect(await peer.stacks.replace({ ...read, deployed: true })).toBeDefined()
    expect(await stores.stacks.replace({ ...read, adopted: true })).toBeUndefined()
    expect(await stores.stacks.find('web')).toMatchObject({ deployed: true, adopted: false })
  })

  test('returns the replaced record, which can be replaced again', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = present(await stores.stacks.find('web'))
    const next = present(await stores.stacks.replace({ ...read, deployed: true }))
    expect(next).toEqual(await peer.stacks.find('web'))
    expect(await peer.stacks.replace({ ...next, adopted: true })).toBeDefined()
    expect(await stores.stacks.replace({ ...next, adopted: false })).toBeUndefined()
  })

  test('concurrent replaces: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = present(await stores.stacks.find('web'))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).stacks.replace({ ...read, updatedAt: index }),
      ),
    )
    expect(answers.filter(Boolean)).toEqual([await stores.stacks.find('web')])
  })

  test('does not replace a removed record or a new one of the same ID', async () => {
    const { stores } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = present(await stores.stacks.find('web'))
    expect(await stores.stacks.remove('web')).toBe(true)
    expect(await stores.stacks.remove('web')).toBe(false)
    expect(await stores.stacks.replace(read)).toBeUndefined()
    await stores.stacks.create(stack('web'))
    expect(await stores.stacks.replace({ ...read, deployed: true })).toBeUndefined()
  })

  test('removes a record only if unchanged since it was read', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = present(await stores.stacks.find('web'))
    const next = present(await peer.stacks.replace({ ...read, deployed: true }))
    expect(await stores.stacks.remove('web', read.revision)).toBe(false)
    expect(await stores.stacks.find('web')).toEqual(next)
    expect(await stores.stacks.remove('web', next.revision)).toBe(true)
    expect(await stores.stacks.remove('web', next.revision)).toBe(false)
    expect(await peer.stacks.find('web')).toBeUndefined()
  })

  test('stores a record with a thousand files', async () => {
    const { stores } = await newWorld()
    const others = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`config/${index}.conf`, `digest-${index}`]),
    )
    const large = { ...stack('web'), files: { ...stack('web').files, others } }
    await stores.stacks.create(large)
    expect((await stores.stacks.find('web'))?.files.others).toEqual(others)
  })
}
