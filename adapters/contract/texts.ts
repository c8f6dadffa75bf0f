import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NewWorld } from './world.ts'

/** Tests the port `Texts`. */
export function textsContract(newWorld: NewWorld) {
  const samples = {
    'an empty text': '',
    'a text in many scripts': 'services: {}\n# Größe 大小 🚢\r\n',
    'a text of 3 MB that does not compress': randomBytes(1_500_000).toString('hex'),
  }
  for (const [what, text] of Object.entries(samples)) {
    test(`${what} is read as it was written`, async () => {
      const { stores, peer } = await newWorld()
      const digest = await stores.texts.put(text)
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      expect(await peer.texts.get(digest)).toBe(text)
      expect(await peer.texts.put(text)).toBe(digest)
    })
  }

  test('many who write the same large text at once leave it whole', async () => {
    const { stores, peer } = await newWorld()
    const text = randomBytes(400_000).toString('hex')
    const digests = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? stores : peer).texts.put(text)),
    )
    expect(new Set(digests).size).toBe(1)
    expect(await stores.texts.get(digests[0]!)).toBe(text)
  })

  test('500: a digest that is not there', async () => {
    const { stores } = await newWorld()
    await expect(stores.texts.get('0'.repeat(64))).rejects.toMatchObject({ status: 500 })
  })
}

const day = 86_400_000

/** Tests the port `TextMarks`. */
export function textMarksContract(newWorld: NewWorld) {
  const marked = async ({ stores }: Awaited<ReturnType<NewWorld>>, digest: string) =>
    (await stores.textMarks.list(undefined, 100)).find((mark) => mark.digest === digest)!

  test('every text is listed once, a page at a time', async () => {
    const { stores, peer, clock } = await newWorld()
    const digests = await Promise.all(['a', 'b', 'c'].map((text) => stores.texts.put(text)))
    const first = await peer.textMarks.list(undefined, 2)
    const rest = await peer.textMarks.list(first.at(-1)?.digest, 2)
    expect([...first, ...rest].map(({ digest }) => digest)).toEqual(digests.sort())
    expect(first[0]).toMatchObject({ storedAt: clock.now(), unusedSince: null })
  })

  test('a text is removed whole', async () => {
    const world = await newWorld()
    const { stores, peer } = world
    const text = randomBytes(400_000).toString('hex')
    const digest = await stores.texts.put(text)
    expect(await peer.textMarks.remove(await marked(world, digest))).toBe(true)
    await expect(stores.texts.get(digest)).rejects.toMatchObject({ status: 500 })
    expect(await stores.texts.put(text)).toBe(digest)
    expect(await peer.texts.get(digest)).toBe(text)
  })

  test('a text that was stored again since it was looked at stays', async () => {
    const world = await newWorld()
    const { stores, peer, clock } = world
    const digest = await stores.texts.put('SECRET=1')
    clock.advance(2 * day)
    await stores.textMarks.markUnused(await marked(world, digest), clock.now())
    const unused = await marked(world, digest)
    expect(unused.unusedSince).toBe(clock.now())
    clock.advance(2 * day)
    await peer.texts.put('SECRET=1')
    expect(await stores.textMarks.remove(unused)).toBe(false)
    expect(await marked(world, digest)).toMatchObject({ unusedSince: null })
    expect(await stores.texts.get(digest)).toBe('SECRET=1')
  })

  test('a mark is written to the text as it was read, and taken back', async () => {
    const world = await newWorld()
    const { stores, clock } = world
    const digest = await stores.texts.put('a')
    const seen = await marked(world, digest)
    clock.advance(day)
    expect(await stores.textMarks.markUnused(seen, clock.now())).toBe(true)
    expect(await stores.textMarks.markUnused(seen, clock.now())).toBe(false)
    expect(await stores.textMarks.remove(seen)).toBe(false)
    const unused = await marked(world, digest)
    expect(await stores.textMarks.markUsed(unused, clock.now())).toBe(true)
    expect((await marked(world, digest)).unusedSince).toBeNull()
  })
}
