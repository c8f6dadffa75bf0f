import { expect, test } from 'vitest'
import { mergeTexts } from './merge-texts.ts'

const lines = (...of: string[]) => of.join('\n')
const base = lines('a', 'b', 'c', 'd', 'e')

test('keeps the changes of both', () => {
  expect(mergeTexts(base, lines('a', 'B', 'c', 'd', 'e'), lines('a', 'b', 'c', 'd', 'E'))).toEqual({
    text: lines('a', 'B', 'c', 'd', 'E'),
    conflicts: [],
  })
})

test('insertions and deletions move what is below', () => {
  const mine = lines('new', 'a', 'b', 'c', 'd', 'e')
  expect(mergeTexts(base, mine, lines('a', 'b', 'e')).text).toBe(lines('new', 'a', 'b', 'e'))
  expect(mergeTexts(base, lines('b', 'c', 'd', 'e'), `${base}\nf`).text).toBe(
    lines('b', 'c', 'd', 'e', 'f'),
  )
})

test('the same change of both is no conflict', () => {
  const both = lines('a', 'B', 'c', 'd', 'e')
  expect(mergeTexts(base, both, both)).toEqual({ text: both, conflicts: [] })
})

test('where both changed a line, mine stays and its line is reported', () => {
  const merged = mergeTexts(
    base,
    lines('a', 'mine', 'c', 'd', 'e'),
    lines('0', 'a', 'theirs', 'c', 'd', 'e'),
  )
  expect(merged).toEqual({ text: lines('0', 'a', 'mine', 'c', 'd', 'e'), conflicts: [3] })
})

test('both inserted something else in the same place', () => {
  expect(mergeTexts('a', 'a\nmine', 'a\ntheirs')).toEqual({ text: 'a\nmine', conflicts: [2] })
})

test('an edit of mine in what they deleted is a conflict', () => {
  const merged = mergeTexts(base, lines('a', 'b', 'C', 'd', 'e'), lines('a', 'e'))
  expect(merged.conflicts).toEqual([2])
  expect(merged.text).toBe(lines('a', 'b', 'C', 'd', 'e'))
})

test('many small edits of both meet all lines of each', () => {
  const numbers = Array.from({ length: 200 }, (_, index) => String(index))
  const mine = numbers.map((line, index) => (index % 10 === 0 ? `${line} mine` : line))
  const theirs = numbers.flatMap((line, index) => (index % 10 === 5 ? [line, 'theirs'] : [line]))
  const merged = mergeTexts(numbers.join('\n'), mine.join('\n'), theirs.join('\n'))
  expect(merged.conflicts).toEqual([])
  expect(merged.text.split('\n').filter((line) => line.endsWith('mine')).length).toBe(20)
  expect(merged.text.split('\n').filter((line) => line === 'theirs').length).toBe(20)
})
