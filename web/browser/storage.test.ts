import { expect, test } from 'vitest'
import { memoryStorage } from '../data/testing/memory-storage.ts'
import { makeStorage, readJson } from './storage.ts'

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}

test('what is stored is there for the next page', () => {
  const browser = memoryStorage()
  expect(makeStorage(() => browser).setItem('theme', 'dark')).toBe(true)
  const next = makeStorage(() => browser)
  expect([next.getItem('theme'), next.keys()]).toEqual(['dark', ['theme']])
  next.removeItem('theme')
  expect(makeStorage(() => browser).getItem('theme')).toBeNull()
})

test.each([
  ['denies it', denied],
  ['has none', () => null],
  ['denies every use of it', () => new Proxy({} as Storage, { get: denied })],
])('a page of a browser that %s remembers what it stores', (_, open) => {
  const storage = makeStorage(open)
  expect(storage.getItem('theme')).toBeNull()
  expect(storage.setItem('theme', 'dark')).toBe(false)
  expect([storage.getItem('theme'), storage.keys()]).toEqual(['dark', ['theme']])
  storage.removeItem('theme')
  expect([storage.getItem('theme'), storage.keys()]).toEqual([null, []])
})

test('without room the new value stays in the page, and an older one does not come back', () => {
  const browser = memoryStorage(10)
  const storage = makeStorage(() => browser)
  storage.setItem('a', 'old')
  expect(storage.setItem('a', 'much too long')).toBe(false)
  expect(storage.getItem('a')).toBe('much too long')
  expect(makeStorage(() => browser).getItem('a')).toBeNull()
  expect(storage.setItem('a', 'short')).toBe(true)
  expect(makeStorage(() => browser).getItem('a')).toBe('short')
})

test('a name that objects inherit is no value', () => {
  const storage = makeStorage(denied)
  expect([storage.getItem('constructor'), storage.keys()]).toEqual([null, []])
})

test('a value that is no JSON is as if it was not there', () => {
  const browser = memoryStorage()
  const storage = makeStorage(() => browser)
  expect(readJson(storage, 'a')).toBeUndefined()
  storage.setItem('a', '{broken')
  expect(readJson(storage, 'a')).toBeUndefined()
  expect(storage.keys()).toEqual([])
  storage.setItem('a', '{"b":1}')
  expect(readJson(storage, 'a')).toEqual({ b: 1 })
})
