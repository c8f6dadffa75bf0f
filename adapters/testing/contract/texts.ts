import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TextMark } from '../../../functions/core/ports/text-marks.ts'
import { present } from '../present.ts'
import { putContent } from '../put-content.ts'
import type { NewWorld, World } from './world.ts'

/** Tests the port `Texts`. */
export function textsContract(newWorld: NewWorld) {
  const samples = {
    'an empty text': '',
    'a text in many scripts': 'services: {}\n# Größe 大小 🚢\r\n',
    'a text of 3 MB that does not compress': randomBytes(1_500_000).toString('hex'),
  }
  for (const [what, text] of Object.entries(samples)) {
    test(`returns ${what} unchanged`, async () => {
      const { stores, peer } = await newWorld()
      const digest = await stores.texts.put(text)
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      expect(await peer.texts.get(digest)).toBe(text)
      expect(await peer.texts.put(text)).toBe(digest)
    })
  }

  test('concurrent writes of one large text leave it intact', async () => {
    const { stores, peer } = await newWorld()
    const text = randomBytes(400_000).toString('hex')
    const digests = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? stores : peer).texts.put(text)),
    )
    expect(new Set(digests).size).toBe(1)
    expect(await stores.texts.get(present(digests[0]))).toBe(text)
  })

  const contents = {
    'no bytes': new Uint8Array(),
    'bytes that are not text': Uint8Array.from([0, 255, 254, 128, 10]),
    'a content of 16 MiB that does not compress': randomBytes(16 * 1024 * 1024),
  }
  for (const [what, content] of Object.entries(contents)) {
    test(`returns ${what} unchanged`, async () => {
      const { stores, peer } = await newWorld()
      const digest = await putContent(stores.texts, content)
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      expect(Buffer.compare(await peer.texts.getBytes(digest), content)).toBe(0)
      expect(await putContent(peer.texts, content)).toBe(digest)
    })
  }

  test('a text is the content of its bytes', async () => {
    const { stores, peer } = await newWorld()
    const digest = await stores.texts.put('Größe')
    expect(await putContent(peer.texts, Buffer.from('Größe'))).toBe(digest)
    expect(Buffer.from(await peer.texts.getBytes(digest)).toString()).toBe('Größe')
  })

  test('a digest is that of one store, and stores nothing', async () => {
    const { stores, peer } = await newWorld()
    const digest = await stores.texts.digestOf('Größe')
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(await peer.texts.digestOf('Größe')).toBe(digest)
    expect(await peer.texts.digestOf('Große')).not.toBe(digest)
    expect(await stores.textMarks.list(undefined, 10)).toEqual([])
    const other = await newWorld()
    expect(await other.stores.texts.digestOf('Größe')).not.toBe(digest)
  })

  test('stores contents of any number and size together, in the given order', async () => {
    const { stores, peer } = await newWorld()
    const large = randomBytes(3_000_000)
    const small = Array.from({ length: 130 }, (_, index) => Buffer.from(`content ${index}`))
    const given = [...small, large, new Uint8Array(), Buffer.from('content 7'), large]
    const digests = await stores.texts.putMany(given)
    for (const [at, content] of given.entries()) {
      const found = await peer.texts.getBytes(present(digests[at]))
      expect(Buffer.compare(found, content)).toBe(0)
    }
    expect(new Set(digests).size).toBe(132)
    expect(await stores.texts.putMany([])).toEqual([])
  })

  test('processes that store the same contents at once leave them intact', async () => {
    const { stores, peer } = await newWorld()
    const given = Array.from({ length: 40 }, () => randomBytes(2000))
    const writers = [stores, peer, stores, peer]
    const all = await Promise.all(writers.map(({ texts }) => texts.putMany(given)))
    for (const digests of all) expect(digests).toEqual(all[0])
    for (const [at, digest] of present(all[0]).entries()) {
      const found = await peer.texts.getBytes(digest)
      expect(Buffer.compare(found, present(given[at]))).toBe(0)
    }
  })

  test('renews many contents that were stored long ago, and stores those that are gone', async () => {
    const { stores, peer, clock } = await newWorld()
    const given = Array.from({ length: 30 }, (_, index) => Buffer.from(`old ${index}`))
    const digests = await stores.texts.putMany(given)
    await expect.poll(() => stores.textMarks.list(undefined, 100)).toHaveLength(30)
    clock.advance(2 * day)
    for (const mark of await stores.textMarks.list(undefined, 100)) {
      await stores.textMarks.markUnused(mark, clock.now())
    }
    const isUnused = ({ unusedSince }: TextMark) => unusedSince !== null
    const listUnused = async () =>
      (await stores.textMarks.list(undefined, 100)).filter((mark) => isUnused(mark))
    await expect.poll(listUnused).toHaveLength(30)
    const [gone, ...found] = await listUnused()
    await stores.textMarks.remove(present(gone))
    clock.advance(2 * day)
    expect(await peer.texts.putMany(given)).toEqual(digests)
    for (const mark of found) expect(await stores.textMarks.remove(mark)).toBe(false)
    await expect.poll(listUnused).toEqual([])
    await expect.poll(() => stores.textMarks.list(undefined, 100)).toHaveLength(30)
  })

  test('storing a known content changes nothing', async () => {
    const { stores, peer, clock } = await newWorld()
    const content = randomBytes(1_000_000)
    await putContent(stores.texts, content)
    await expect.poll(() => stores.textMarks.list(undefined, 10)).toHaveLength(1)
    const before = await stores.textMarks.list(undefined, 10)
    clock.advance(60_000)
    await putContent(peer.texts, content)
    expect(await stores.textMarks.list(undefined, 10)).toEqual(before)
  })

  test('500: an unknown digest', async () => {
    const { stores } = await newWorld()
    await expect(stores.texts.get('0'.repeat(64))).rejects.toMatchObject({ status: 500 })
    await expect(stores.texts.getBytes('0'.repeat(64))).rejects.toMatchObject({ status: 500 })
  })
}

const day = 86_400_000

/**
 * Tests the port `TextMarks`. A store may list marks a moment late, and each write is on the
 * condition that its mark is the newest one, so tests wait for it.
 */
export function textMarksContract(newWorld: NewWorld) {
  const listed = async ({ stores }: World, digest: string) =>
    (await stores.textMarks.list(undefined, 100)).find((mark) => mark.digest === digest)
  /** Waits until the mark of a text is listed with this time. Returns it. */
  const marked = async (world: World, digest: string, times: Partial<TextMark> = {}) => {
    const what = { digest, unusedSince: null, ...times }
    await expect.poll(() => listed(world, digest)).toMatchObject(what)
    return present(await listed(world, digest))
  }

  test('lists every text once, in pages', async () => {
    const { stores, peer, clock } = await newWorld()
    const digests = await Promise.all(['a', 'b', 'c'].map((text) => stores.texts.put(text)))
    await expect.poll(() => peer.textMarks.list(undefined, 9)).toHaveLength(3)
    const first = await peer.textMarks.list(undefined, 2)
    const rest = await peer.textMarks.list(first.at(-1)?.digest, 2)
    expect([...first, ...rest].map(({ digest }) => digest)).toEqual(digests.sort())
    expect(first[0]).toMatchObject({ storedAt: clock.now(), unusedSince: null })
  })

  test('removes a text completely', async () => {
    const world = await newWorld()
    const { stores, peer } = world
    const text = randomBytes(400_000).toString('hex')
    const digest = await stores.texts.put(text)
    expect(await peer.textMarks.remove(await marked(world, digest))).toBe(true)
    await expect(stores.texts.get(digest)).rejects.toMatchObject({ status: 500 })
    expect(await stores.texts.put(text)).toBe(digest)
    expect(await peer.texts.get(digest)).toBe(text)
  })

  test('keeps a text stored again since it was examined', async () => {
    const world = await newWorld()
    const { stores, peer, clock } = world
    const digest = await stores.texts.put('SECRET=1')
    clock.advance(2 * day)
    await stores.textMarks.markUnused(await marked(world, digest), clock.now())
    const unused = await marked(world, digest, { unusedSince: clock.now() })
    clock.advance(2 * day)
    await peer.texts.put('SECRET=1')
    expect(await stores.textMarks.remove(unused)).toBe(false)
    await marked(world, digest)
    expect(await stores.texts.get(digest)).toBe('SECRET=1')
  })

  test('marks a text only if unchanged since it was read, and unmarks it', async () => {
    const world = await newWorld()
    const { stores, clock } = world
    const digest = await stores.texts.put('a')
    const seen = await marked(world, digest)
    clock.advance(day)
    expect(await stores.textMarks.markUnused(seen, clock.now())).toBe(true)
    expect(await stores.textMarks.markUnused(seen, clock.now())).toBe(false)
    expect(await stores.textMarks.remove(seen)).toBe(false)
    const unused = await marked(world, digest, { unusedSince: clock.now() })
    expect(await stores.textMarks.markUsed(unused, clock.now())).toBe(true)
    await marked(world, digest)
  })
}
