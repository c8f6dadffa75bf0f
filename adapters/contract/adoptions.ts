import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Adoption } from '../../functions/core/adopt/adoption.ts'
import type { Ports } from '../../functions/core/ports.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Adoptions`. */
export function adoptionsContract(newWorld: NewWorld) {
  const begun = async () => {
    const world = await newWorld()
    const adoption: Adoption = {
      ...{ id: 'one', stack: 'shop', hostId: 'local', size: 9, accountId: 'ada', done: false },
      expiresAt: world.clock.now() + 1000,
    }
    await world.stores.adoptions.save(adoption)
    return { ...world, adoption }
  }

  const read = async ({ adoptions }: Pick<Ports, 'adoptions'>, part: number) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of adoptions.readPart('one', part)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('an adoption is found until it expires, as it was last saved', async () => {
    const { stores, peer, adoption, clock } = await begun()
    expect(await peer.adoptions.find('one')).toEqual(adoption)
    await stores.adoptions.save({ ...adoption, done: true })
    expect(await peer.adoptions.find('one')).toMatchObject({ done: true })
    expect(await peer.adoptions.find('other')).toBeUndefined()
    clock.advance(1000)
    expect(await peer.adoptions.find('one')).toBeUndefined()
  })

  test('parts come in any order and are read as they were written', async () => {
    const { stores, peer, adoption } = await begun()
    const [first, second] = [randomBytes(4 * 1024 * 1024), randomBytes(700_000)]
    expect(await peer.adoptions.received('one')).toEqual([])
    await stores.adoptions.putPart(adoption, 12, second)
    await stores.adoptions.putPart(adoption, 2, first)
    expect(await peer.adoptions.received('one')).toEqual([2, 12])
    expect(Buffer.compare(await read(peer, 2), first)).toBe(0)
    expect(Buffer.compare(await read(peer, 12), second)).toBe(0)
  })

  test('a part that comes again is one part, and the last one counts', async () => {
    const { stores, peer, adoption } = await begun()
    for (const text of ['a', 'a', 'b']) {
      await stores.adoptions.putPart(adoption, 0, Buffer.from(text))
    }
    expect(await peer.adoptions.received('one')).toEqual([0])
    expect((await read(peer, 0)).toString()).toBe('b')
  })

  test('many who write the same part at once leave it whole', async () => {
    const { stores, peer, adoption } = await begun()
    const bytes = randomBytes(800_000)
    await Promise.all(
      [stores, peer, stores, peer].map((one) => one.adoptions.putPart(adoption, 0, bytes)),
    )
    expect(Buffer.compare(await read(peer, 0), bytes)).toBe(0)
  })

  test('of many who write different bytes of a part at once one has it whole', async () => {
    const { stores, peer, adoption } = await begun()
    const all = Array.from({ length: 4 }, (_, index) => Buffer.alloc(800_000, index))
    await Promise.all(
      all.map((bytes, index) => [stores, peer][index % 2]!.adoptions.putPart(adoption, 0, bytes)),
    )
    const found = await read(peer, 0)
    expect(all.filter((bytes) => bytes.equals(found))).toHaveLength(1)
  })

  test('500: parts that were removed', async () => {
    const { stores, peer, adoption } = await begun()
    await stores.adoptions.putPart(adoption, 0, Buffer.from('a'))
    await peer.adoptions.removeParts('one')
    expect(await stores.adoptions.received('one')).toEqual([])
    await expect(read(stores, 0)).rejects.toMatchObject({ status: 500 })
  })
}
