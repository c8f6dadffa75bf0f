import { expect, test } from 'vitest'
import { draftsIn } from './drafts.ts'

function storage(room = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new Error('QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  }
}
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
  const kept = storage(60)
  const drafts = draftsIn(kept, 'u1', 'shop')
  expect(drafts.keep('a', draft)).toBe(true)
  expect(drafts.keep('a', { ...draft, text: 'b'.repeat(100) })).toBe(false)
  expect(drafts.read().size).toBe(0)
})

test('an entry that is not a draft is removed', () => {
  const kept = storage()
  kept.setItem('draft:u1:shop:a', '{')
  kept.setItem('draft:u1:shop:b', '{"text":1}')
  expect(draftsIn(kept, 'u1', 'shop').read().size).toBe(0)
  expect(kept.length).toBe(0)
})
