import { expect, test } from 'vitest'
import { type LogLine, LogRing } from './log-ring.ts'

const line = (text: string): LogLine => ({ time: '', text, source: '', kind: 'stdout' })

function filled(count: number, capacity = 5): LogRing {
  const ring = new LogRing(capacity)
  for (let index = 0; index < count; index += 1) ring.add(line(String(index)))
  return ring
}

test('the oldest lines go, and the others keep their number and their place', () => {
  const ring = filled(8)
  expect([ring.first, ring.end]).toEqual([3, 8])
  expect(ring.get(2)).toBeUndefined()
  expect(ring.get(3)?.text).toBe('3')
  expect(ring.get(8)).toBeUndefined()
  expect([ring.topOf(3), ring.topOf(7), ring.bottom]).toEqual([3, 7, 8])
})

test('finds the line of a row, or the nearest one in the buffer', () => {
  const ring = filled(8)
  expect([-5, 3, 6.9, 7, 100].map((row) => ring.at(row))).toEqual([3, 3, 6, 7, 7])
  expect(new LogRing(5).at(3)).toBe(0)
})

test('lines that wrap take more rows, also those that come later', () => {
  const ring = filled(8)
  ring.measure(({ text }) => (text === '4' || text === '9' ? 3 : 1))
  expect([3, 4, 5].map((sequence) => ring.topOf(sequence))).toEqual([3, 4, 7])
  expect(ring.at(6.5)).toBe(4)
  ring.add(line('8'))
  ring.add(line('9'))
  ring.add(line('10'))
  expect(ring.first).toBe(6)
  expect(ring.topOf(10) - ring.topOf(9)).toBe(3)
  expect(ring.bottom).toBe(ring.topOf(10) + 1)
})

test('a ring that was cleared begins again', () => {
  const ring = filled(8)
  ring.clear()
  ring.add(line('new'))
  expect([ring.first, ring.end, ring.bottom]).toEqual([0, 1, 1])
  expect(ring.get(0)?.text).toBe('new')
})
