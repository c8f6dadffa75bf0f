import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
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

test('older lines come before the others, which keep their number and their place', () => {
  const ring = filled(3, 7)
  ring.measure(({ text }) => (text === 'b' ? 2 : 1))
  ring.prepend(['a', 'b', 'c'].map(line))
  expect([ring.first, ring.end, ring.size]).toEqual([-3, 3, 6])
  expect([-3, -2, -1, 0].map((sequence) => ring.get(sequence)?.text)).toEqual(['a', 'b', 'c', '0'])
  expect([-3, -2, -1, 0, 1].map((sequence) => ring.topOf(sequence))).toEqual([-4, -3, -1, 0, 1])
  expect([ring.at(-1.5), ring.at(-1), ring.at(-9)]).toEqual([-2, -1, -3])
  ring.prepend(['y', 'z'].map(line))
  expect([ring.first, ring.get(-4)?.text, ring.size]).toEqual([-4, 'z', 7])
  ring.prepend([line('no room')])
  expect(ring.first).toBe(-4)
})

test('says which lines leave', () => {
  const ring = filled(2, 2)
  const gone: string[] = []
  ring.onDrop = ({ text }) => void gone.push(text)
  ring.prepend([line('no room')])
  ring.add(line('2'))
  expect([gone, ring.first, ring.get(1)?.text, ring.get(2)?.text]).toEqual([['0'], 1, '1', '2'])
})

test('hidden lines take no row, also those that come later', () => {
  const ring = filled(6, 9)
  const isOdd = ({ text }: LogLine) => Number(text) % 2 === 1
  ring.filter(isOdd)
  expect([ring.bottom, ring.topOf(3), ring.at(0), ring.at(1), ring.at(2)]).toEqual([3, 1, 1, 3, 5])
  expect([1, 3, 5].map((sequence) => ring.nextShown(sequence))).toEqual([3, 5, 6])
  ring.add(line('6'))
  ring.add(line('7'))
  expect([ring.bottom, ring.nextShown(5), ring.isShown(6), ring.isShown(7)]).toEqual([
    4,
    7,
    false,
    true,
  ])
  ring.prepend([line('0')])
  expect([ring.isShown(-1), ring.at(-1)]).toEqual([false, 1])
  ring.filter(() => true, 5)
  expect([ring.topOf(5), ring.topOf(4), ring.topOf(ring.first)]).toEqual([2, 1, -4])
  ring.filter(isOdd, 5)
  expect([ring.topOf(5), ring.topOf(ring.first)]).toEqual([2, 0])
  expect(ring.shownBetween(-9, 1)).toEqual([1, 3])
  ring.filter(() => false)
  expect([ring.shownBetween(-9, 99), filled(0).shownBetween(-9, 99)]).toEqual([[], []])
  expect([ring.bottom, ring.isShown(ring.at(0))]).toEqual([0, false])
  ring.filter(() => true)
  expect(ring.bottom - ring.topOf(ring.first)).toBe(9)
})

test('is a list of lines, whatever is done with it', () => {
  const change = fc.oneof(
    fc.record({ add: fc.nat(5) }),
    fc.record({ prepend: fc.nat(5) }),
    fc.record({ divisor: fc.integer({ min: 1, max: 4 }) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const ring = new LogRing(12)
      ring.measure(({ text }) => (Number(text) % 3) + 1)
      let all: string[] = []
      let [next, isShown] = [0, (_: string) => true]
      const some = (count: number) => Array.from({ length: count }, () => String(next++))
      for (const one of changes) {
        if ('add' in one) {
          const texts = some(one.add)
          for (const text of texts) ring.add(line(text))
          all = [...all, ...texts].slice(-12)
        } else if ('prepend' in one) {
          const texts = some(one.prepend)
          ring.prepend(texts.map(line))
          all = [...texts, ...all].slice(
            -Math.max(all.length, Math.min(12, all.length + texts.length)),
          )
        } else {
          isShown = (text) => Number(text) % one.divisor === 0
          ring.filter(({ text }) => isShown(text))
        }
        const kept = Array.from({ length: ring.size }, (_, index) => ring.get(ring.first + index))
        expect(kept.map((each) => each?.text)).toEqual(all)
        let row = ring.topOf(ring.first)
        for (const [index, text] of all.entries()) {
          if (!isShown(text)) continue
          expect(ring.at(row)).toBe(ring.first + index)
          row += (Number(text) % 3) + 1
        }
        expect(ring.bottom).toBe(row)
      }
    }),
  )
})
