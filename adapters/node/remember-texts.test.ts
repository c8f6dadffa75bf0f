import { expect, test } from 'vitest'
import { memoryTexts } from '../memory/texts.ts'
import { rememberTexts } from './remember-texts.ts'

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

test('a text that was put or read lately is not read again', async () => {
  const { texts, read } = counted()
  const digest = await texts.put('one')
  const remembered = rememberTexts(texts)
  expect([await remembered.get(digest), await remembered.get(digest)]).toEqual(['one', 'one'])
  expect(await remembered.get(await remembered.put('two'))).toBe('two')
  expect(read).toEqual([digest])
})

test('what was not asked for longest is forgotten when there is too much', async () => {
  const { texts, read } = counted()
  const remembered = rememberTexts(texts, 80)
  const digests = await Promise.all(
    'abcdefghi'.split('').map((one) => remembered.put(one.repeat(10))),
  )
  await remembered.get(digests[8]!)
  expect(read).toEqual([])
  await remembered.get(digests[0]!)
  expect(read).toEqual([digests[0]])
})

test('a text too large to keep is read each time, one that is not there is not remembered', async () => {
  const { texts, read } = counted()
  const remembered = rememberTexts(texts, 80)
  const digest = await remembered.put('x'.repeat(11))
  await remembered.get(digest)
  await remembered.get(digest)
  expect(read).toEqual([digest, digest])
  await expect(remembered.get('none')).rejects.toMatchObject({ status: 500 })
})
