import { expect, test } from 'vitest'
import { makeStorage } from '../browser/storage.ts'
import { draftsIn } from './drafts.ts'
import { memoryStorage } from './testing/memory-storage.ts'

const storage = (browser = memoryStorage()) => makeStorage(() => browser)
const draft = { base: 'a', revision: 3, text: 'b', created: '2026-11-21T10:00:00.000Z' }

/** Returns what opens a tab of one browser, or reloads one that is open. */
function browserWith(shared = memoryStorage()) {
  return (own = memoryStorage(), user = 'u1', stack = 'shop') =>
    draftsIn({ shared: storage(shared), own: storage(own) }, user, stack)
}

test('drafts come back for the same user and stack only', () => {
  const open = browserWith()
  open().keep('compose.yaml', draft)
  expect([...open().read()]).toEqual([['compose.yaml', draft]])
  expect(open(memoryStorage(), 'u2').read().size).toBe(0)
  expect(open(memoryStorage(), 'u1', 'sho').read().size).toBe(0)
})

test('a discarded draft is removed', () => {
  const open = browserWith()
  const own = memoryStorage()
  const drafts = open(own)
  drafts.keep('a', draft)
  drafts.drop('a')
  expect(open(own).read().size).toBe(0)
  expect(open().read().size).toBe(0)
})

test('a discarded draft of a tab that was closed is removed', () => {
  const open = browserWith()
  open().keep('a', draft)
  const drafts = open()
  drafts.read()
  drafts.drop('a')
  expect(open().read().size).toBe(0)
})

const mine = { ...draft, text: 'mine' }
const yours = { ...draft, text: 'yours' }

test.each(['keeps', 'discards'] as const)(
  'a reloaded tab has what was typed in it, though another tab %s another draft',
  (verb) => {
    const open = browserWith()
    const [first, second] = [memoryStorage(), memoryStorage()]
    const [one, two] = [open(first), open(second)]
    one.keep('a', mine)
    two.keep('a', yours)
    if (verb === 'discards') two.drop('a')
    expect(open(first).read().get('a')).toEqual(mine)
    expect(open(second).read().get('a')).toEqual(verb === 'keeps' ? yours : mine)
  },
)

test('a tab says that its draft ends with it if another tab has a later one', () => {
  const open = browserWith()
  const [one, two] = [open(), open()]
  one.keep('a', mine)
  expect([one.survives('a'), one.survives('b')]).toEqual([true, false])
  two.keep('a', yours)
  expect([one.survives('a'), two.survives('a')]).toEqual([false, true])
  // The later one of another tab stays.
  one.drop('a')
  expect(two.survives('a')).toBe(true)
  two.drop('a')
  one.keep('a', mine)
  expect(one.survives('a')).toBe(true)
})

test('a reloaded tab does not replace the later draft of another tab', () => {
  const open = browserWith()
  const first = memoryStorage()
  open(first).keep('a', mine)
  open().keep('a', yours)
  const again = open(first)
  again.read()
  expect(again.survives('a')).toBe(false)
  expect(open().read().get('a')).toEqual(yours)
})

test('without room an older draft does not come back, and the new one ends with the tab', () => {
  const open = browserWith(memoryStorage(120))
  const drafts = open()
  drafts.keep('a', draft)
  expect(drafts.survives('a')).toBe(true)
  drafts.keep('a', { ...draft, text: 'b'.repeat(200) })
  expect(drafts.survives('a')).toBe(false)
  expect(open().read().size).toBe(0)
})

test('an entry that is not a draft is removed', () => {
  const shared = memoryStorage()
  shared.setItem('draft:u1:shop:a', '{')
  shared.setItem('draft:u1:shop:b', '{"text":1}')
  shared.setItem('draft:u1:shop:c', 'null')
  expect(browserWith(shared)().read().size).toBe(0)
  expect(shared.length).toBe(0)
})

test('a draft that an earlier version stored is read', () => {
  const shared = memoryStorage()
  shared.setItem('draft:u1:shop:a', '{"base":"a","revision":3,"text":"b"}')
  expect(browserWith(shared)().read().get('a')).toEqual({ base: 'a', revision: 3, text: 'b' })
})

test('finds the path of a draft in its key', () => {
  const drafts = browserWith()()
  expect(drafts.pathOf('draft:u1:shop:conf/a:b')).toBe('conf/a:b')
  expect([drafts.pathOf('draft:u2:shop:a'), drafts.pathOf(null)]).toEqual([undefined, undefined])
})
