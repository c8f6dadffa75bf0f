import { expect, test } from 'vitest'
import { LogRing } from './log-ring.ts'
import { LogSearch, parseQuery } from './log-search.ts'

function ringOf(...texts: string[]): LogRing {
  const ring = new LogRing(4)
  for (const text of texts) add(ring, text)
  return ring
}
const add = (ring: LogRing, text: string) =>
  ring.add({ time: '', text, source: '', kind: 'stdout' })
const words = { text: 'error', isExpression: false, isExact: false }

test('words are found in any case, through escape sequences, also in lines that come later', () => {
  const ring = ringOf('ok', 'an \u001b[31mERR\u001b[0mOR')
  const search = new LogSearch(ring)
  search.start(words)
  expect(search.found.value).toEqual([1])
  add(ring, 'Error 2')
  search.update()
  expect(search.found.value).toEqual([1, 2])
  search.start({ ...words, isExact: true })
  expect(search.found.value).toEqual([])
})

test('does not find lines that left the buffer', () => {
  const ring = ringOf('error', 'b')
  const search = new LogSearch(ring)
  search.start(words)
  expect(search.found.value).toEqual([0])
  for (const text of ['c', 'd', 'e']) add(ring, text)
  search.update()
  expect(search.found.value).toEqual([])
})

test('finds lines that are put before the others', () => {
  const ring = ringOf('error')
  const search = new LogSearch(ring)
  search.start(words)
  const before = ['an error', 'ok'].map(
    (text) => ({ time: '', text, source: '', kind: 'stdout' }) as const,
  )
  ring.prepend(before)
  add(ring, 'error')
  search.update()
  expect(search.found.value).toEqual([-2, 0, 1])
})

test('reports an invalid expression, and searches the characters of other queries literally', () => {
  const search = new LogSearch(ringOf('a'))
  search.start({ text: '(', isExpression: true, isExact: false })
  expect(search.trouble.value).toBe('invalid')
  expect(parseQuery({ text: 'a.(b', isExpression: false, isExact: true })?.source).toBe('a\\.\\(b')
})
