import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ports } from '../../../functions/core/ports/ports.ts'
import type { Upload } from '../../../functions/core/records/upload.ts'
import { present } from '../present.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Uploads`. */
export function uploadsContract(newWorld: NewWorld) {
  const begun = async () => {
    const world = await newWorld()
    const adoption: Upload = {
      id: 'one',
      stack: 'shop',
      hostId: 'local',
      size: 9,
      accountId: 'ada',
      done: false,
      expiresAt: world.clock.now() + 1000,
    }
    await world.stores.uploads.save(adoption)
    return { ...world, adoption }
  }

  const read = async ({ uploads }: Pick<Ports, 'uploads'>, part: number) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of uploads.readPart('one', part)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('finds the last saved adoption until it expires', async () => {
    const { stores, peer, adoption, clock } = await begun()
    expect(await peer.uploads.find('one')).toEqual(adoption)
    await stores.uploads.save({ ...adoption, done: true })
    expect(await peer.uploads.find('one')).toMatchObject({ done: true })
    expect(await peer.uploads.find('other')).toBeUndefined()
    clock.advance(1000)
    expect(await peer.uploads.find('one')).toBeUndefined()
  })

  test('accepts parts in any order and returns them unchanged', async () => {
    const { stores, peer, adoption } = await begun()
    const [first, second] = [randomBytes(4 * 1024 * 1024), randomBytes(700_000)]
    expect(await peer.uploads.received('one')).toEqual([])
    await stores.uploads.putPart(adoption, 12, second)
    await stores.uploads.putPart(adoption, 2, first)
    expect(await peer.uploads.received('one')).toEqual([2, 12])
    expect(Buffer.compare(await read(peer, 2), first)).toBe(0)
    expect(Buffer.compare(await read(peer, 12), second)).toBe(0)
  })

  test('a repeated part replaces the earlier one', async () => {
    const { stores, peer, adoption } = await begun()
    for (const text of ['a', 'a', 'b']) {
      await stores.uploads.putPart(adoption, 0, Buffer.from(text))
    }
    expect(await peer.uploads.received('one')).toEqual([0])
    expect((await read(peer, 0)).toString()).toBe('b')
  })

  test('concurrent writes of the same part leave it intact', async () => {
    const { stores, peer, adoption } = await begun()
    const bytes = randomBytes(800_000)
    await Promise.all(
      [stores, peer, stores, peer].map((one) => one.uploads.putPart(adoption, 0, bytes)),
    )
    expect(Buffer.compare(await read(peer, 0), bytes)).toBe(0)
  })

  test('concurrent writes of different bytes leave one of them intact', async () => {
    const { stores, peer, adoption } = await begun()
    const all = Array.from({ length: 4 }, (_, index) => Buffer.alloc(800_000, index))
    await Promise.all(
      all.map((bytes, index) =>
        present([stores, peer][index % 2]).uploads.putPart(adoption, 0, bytes),
      ),
    )
    const found = await read(peer, 0)
    expect(all.filter((bytes) => bytes.equals(found))).toHaveLength(1)
  })

  test('lists the uploads of an account, and removes one with its parts', async () => {
    const { stores, peer, adoption, clock } = await begun()
    const second = { ...adoption, id: 'two', purpose: 'change' as const, revision: 3 }
    await stores.uploads.save(second)
    await stores.uploads.save({ ...second, id: 'other', accountId: 'bob' })
    await stores.uploads.save({ ...second, id: 'short', expiresAt: clock.now() + 10 })
    await stores.uploads.putPart(adoption, 0, Buffer.from('a'))
    clock.advance(10)
    expect(await peer.uploads.listByAccount('ada')).toEqual([adoption, second])
    await peer.uploads.remove(adoption)
    expect(await stores.uploads.listByAccount('ada')).toEqual([second])
    expect(await stores.uploads.find('one')).toBeUndefined()
    expect(await stores.uploads.received('one')).toEqual([])
    expect(await stores.uploads.listByAccount('eve')).toEqual([])
  })

  test('500: reading a removed part', async () => {
    const { stores, peer, adoption } = await begun()
    await stores.uploads.putPart(adoption, 0, Buffer.from('a'))
    await peer.uploads.removeParts('one')
    expect(await stores.uploads.received('one')).toEqual([])
    await expect(read(stores, 0)).rejects.toMatchObject({ status: 500 })
  })
}
