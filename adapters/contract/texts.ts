import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NewWorld } from './world.ts'

/** What the port `Texts` promises. */
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
