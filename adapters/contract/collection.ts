import { expect, test } from 'vitest'
import { stack } from './samples.ts'
import { count, type NewWorld } from './world.ts'

/** Tests what all collections have in common, using the stacks. */
export function collectionContract(newWorld: NewWorld) {
  test('a record is found as it was written, in every process', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.stacks.find('web')).toBeUndefined()
    expect(await stores.stacks.create(stack('web'))).toBe(true)
    expect(await peer.stacks.find('web')).toEqual({ ...stack('web'), revision: expect.any(Number) })
  })

  test('a list is in order of id, however many there are', async () => {
    const { stores } = await newWorld()
    const ids = Array.from({ length: 40 }, (_, index) => `stack-${(index * 7) % 40}`)
    await Promise.all(ids.map((id) => stores.stacks.create(stack(id))))
    expect((await stores.stacks.list()).map(({ id }) => id)).toEqual([...ids].sort())
  })

  test('an id is given once', async () => {
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

  test('a record is replaced only as it was read', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = (await stores.stacks.find('web'))!
    expect(await peer.stacks.replace({ ...read, deployed: true })).toBeDefined()
    expect(await stores.stacks.replace({ ...read, adopted: true })).toBeUndefined()
    expect(await stores.stacks.find('web')).toMatchObject({ deployed: true, adopted: false })
  })

  test('a replaced record is given as it is read, to be replaced again', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = (await stores.stacks.find('web'))!
    const next = (await stores.stacks.replace({ ...read, deployed: true }))!
    expect(next).toEqual(await peer.stacks.find('web'))
    expect(await peer.stacks.replace({ ...next, adopted: true })).toBeDefined()
    expect(await stores.stacks.replace({ ...next, adopted: false })).toBeUndefined()
  })

  test('of many who replace what they read, one wins', async () => {
    const { stores, peer } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = (await stores.stacks.find('web'))!
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).stacks.replace({ ...read, updatedAt: index }),
      ),
    )
    expect(answers.filter(Boolean)).toEqual([await stores.stacks.find('web')])
  })

  test('a record that is gone is not replaced, nor one that took its place', async () => {
    const { stores } = await newWorld()
    await stores.stacks.create(stack('web'))
    const read = (await stores.stacks.find('web'))!
    expect(await stores.stacks.remove('web')).toBe(true)
    expect(await stores.stacks.remove('web')).toBe(false)
    expect(await stores.stacks.replace(read)).toBeUndefined()
    await stores.stacks.create(stack('web'))
    expect(await stores.stacks.replace({ ...read, deployed: true })).toBeUndefined()
  })

  test('a record of a thousand files fits', async () => {
    const { stores } = await newWorld()
    const others = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`config/${index}.conf`, `digest-${index}`]),
    )
    const large = { ...stack('web'), files: { ...stack('web').files, others } }
    await stores.stacks.create(large)
    expect((await stores.stacks.find('web'))?.files.others).toEqual(others)
  })
}
