import { expect, test } from 'vitest'
import { LogFilter } from './log-filter.ts'
import { type LogLine, LogRing } from './log-ring.ts'
import { LogSearch } from './log-search.ts'

const line = (text: string, kind: LogLine['kind'] = 'stdout'): LogLine => ({
  time: '2026-11-29T10:00:00.000Z',
  text,
  source: '',
  kind,
})

function filtered(capacity: number, ...texts: string[]) {
  const ring = new LogRing(capacity)
  const search = new LogSearch(ring)
  const filter = new LogFilter(ring, search)
  const add = (...lines: LogLine[]) => {
    for (const one of lines) {
      filter.take(one)
      ring.add(one)
    }
    search.update()
    filter.update()
  }
  add(...texts.map((text) => line(text)))
  const shown = () =>
    Array.from({ length: ring.size }, (_, index) => ring.first + index)
      .filter((sequence) => ring.isShown(sequence))
      .map((sequence) => ring.get(sequence)?.text)
  return { ring, search, filter, add, shown }
}
const find = (text: string) => ({ text, isExpression: false, isExact: false })

test('counts the lines of each level that are there', () => {
  const { filter, add, ring } = filtered(3, 'ERROR a', '  at b', 'INFO c')
  expect(filter.counts.value).toEqual({ error: 2, warn: 0, info: 1, debug: 0 })
  add(line('WARN d'))
  expect(filter.counts.value).toEqual({ error: 1, warn: 1, info: 1, debug: 0 })
  expect(ring.size).toBe(3)
  filter.empty()
  expect(filter.counts.value.warn).toBe(0)
})

test('shows lines of the chosen levels, with their traces and our notes', () => {
  const { filter, add, shown } = filtered(9, 'GET /', 'ERROR a', '  at b', 'INFO c')
  filter.set(['error'], false)
  add(line('WARN d'), line('web ended', 'note'), line('ERROR e'))
  expect(shown()).toEqual(['ERROR a', '  at b', 'web ended', 'ERROR e'])
  filter.set([], false)
  expect(shown()).toHaveLength(7)
})

test('shows matches only, also those that come later, of the chosen levels', () => {
  const { filter, search, add, shown } = filtered(9, 'GET /a', 'GET /b', 'ERROR /a')
  search.start(find('/a'))
  filter.set([], true)
  add(line('GET /c'), line('INFO /a'))
  expect(shown()).toEqual(['GET /a', 'ERROR /a', 'INFO /a'])
  filter.set(['info'], true)
  expect(shown()).toEqual(['INFO /a'])
  search.start(find(''))
  filter.set([], true)
  expect(shown()).toHaveLength(5)
})

test('the end of a trace gets its level when its beginning is loaded', () => {
  const { filter, ring, shown } = filtered(9, '  at b', 'INFO c')
  filter.set(['error'], false)
  expect(shown()).toEqual([])
  ring.prepend(filter.takeOlder([line('INFO z'), line('ERROR a')]))
  filter.set(['error'], false)
  expect(shown()).toEqual(['ERROR a', '  at b'])
  filter.update()
  expect(filter.counts.value).toEqual({ error: 2, warn: 0, info: 2, debug: 0 })
})
