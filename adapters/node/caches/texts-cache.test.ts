import { expect, test } from 'vitest'
import { memoryTexts } from '../../testing/memory/texts.ts'
import { present } from '../../testing/present.ts'
import { cacheTexts } from './texts-cache.ts'

/** Returns texts in memory that count their reads. */
function counted() {
  const texts = memoryTexts(Date).texts
  const read: string[] = []
  const get = (digest: string) => {
    read.push(digest)
    return texts.get(digest)
  }
  return { texts: { ...texts, get }, read }
}

test('caches a text that was written or read recently', async () => {
  const { texts, read } = counted()
  const digest = await texts.put('one')
  const remembered = cacheTexts(texts)
  expect([await remembered.get(digest), await remembered.get(digest)]).toEqual(['one', 'one'])
  expect(await remembered.get(await remembered.put('two'))).toBe('two')
  expect(read).toEqual([digest])
})

test('evicts the least recently used text', async () => {
  const { texts, read } = counted()
  const remembered = cacheTexts(texts, 80)
  const digests = await Promise.all(
    'abcdefghi'.split('').map((one) => remembered.put(one.repeat(10))),
  )
  await remembered.get(present(digests[8]))
  expect(read).toEqual([])
  await remembered.get(present(digests[0]))
  expect(read).toEqual([digests[0]])
})

test('does not cache large or missing texts', async () => {
  const { texts, read } = counted()
  const remembered = cacheTexts(texts, 80)
  const digest = await remembered.put('x'.repeat(11))
  await remembered.get(digest)
  await remembered.get(digest)
  expect(read).toEqual([digest, digest])
  await expect(remembered.get('none')).rejects.toMatchObject({ status: 500 })
})
