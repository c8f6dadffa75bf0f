import { expect, test } from 'vitest'
import { draftsIn } from './drafts.ts'
import { makeStorage } from './storage.ts'
import { memoryStorage } from './testing/memory-storage.ts'

const storage = (browser = memoryStorage()) => makeStorage(() => browser)
const draft = { base: 'a', revision: 3, text: 'b' }

test('drafts come back for the same user and stack only', () => {
  const kept = storage()
  draftsIn(kept, 'u1', 'shop').keep('compose.yaml', draft)
  expect([...draftsIn(kept, 'u1', 'shop').read()]).toEqual([['compose.yaml', draft]])
  expect(draftsIn(kept, 'u2', 'shop').read().size).toBe(0)
  expect(draftsIn(kept, 'u1', 'sho').read().size).toBe(0)
})

test('a discarded draft is removed', () => {
  const kept = storage()
  const drafts = draftsIn(kept, 'u1', 'shop')
  drafts.keep('a', draft)
  drafts.drop('a')
  expect(drafts.read().size).toBe(0)
})

test('without room an older draft does not come back', () => {
  const browser = memoryStorage(60)
  const drafts = draftsIn(storage(browser), 'u1', 'shop')
  expect(drafts.keep('a', draft)).toBe(true)
  expect(drafts.keep('a', { ...draft, text: 'b'.repeat(100) })).toBe(false)
  expect(draftsIn(storage(browser), 'u1', 'shop').read().size).toBe(0)
})

test('an entry that is not a draft is removed', () => {
  const kept = storage()
  kept.setItem('draft:u1:shop:a', '{')
  kept.setItem('draft:u1:shop:b', '{"text":1}')
  kept.setItem('draft:u1:shop:c', 'null')
  expect(draftsIn(kept, 'u1', 'shop').read().size).toBe(0)
  expect(kept.keys()).toEqual([])
})
