import { expect, test } from 'vitest'
import { lastLines, OutputTail } from './output-tail.ts'

const added = (max: number, ...chunks: string[]) => {
  const tail = new OutputTail(max)
  for (const chunk of chunks) tail.add(Buffer.from(chunk))
  return tail.read()
}

test.each([
  ['nothing', [], { text: '', isCut: false }],
  ['all of a short output', ['one\n', 'two\n'], { text: 'one\ntwo\n', isCut: false }],
  ['exactly as much as fits', ['12345678\n', '\n'], { text: '12345678\n\n', isCut: false }],
  ['whole lines of a longer one', ['one\ntwo\n', 'three\n'], { text: 'three\n', isCut: true }],
  ['the end of a long line', ['0123456789abc'], { text: '3456789abc', isCut: true }],
  ['the end of a long line', ['0123456789ab\n'], { text: '3456789ab\n', isCut: true }],
] as const)('keeps %s', (_, chunks, kept) => {
  expect(added(10, ...chunks)).toEqual(kept)
})

test('many short chunks: keeps the end', () => {
  const tail = new OutputTail(10)
  for (let n = 0; n < 5000; n += 1) tail.add(Buffer.from(`${n}\n`))
  expect(tail.read()).toEqual({ text: '4999\n', isCut: true })
})

test('says that output is missing, without a line less', () => {
  const tail = new OutputTail(10)
  tail.add(Buffer.from('a\nb\n'))
  tail.cut()
  expect(tail.read()).toEqual({ text: 'a\nb\n', isCut: true })
})

test.each([
  ['a\nb\nc\n', 2, { text: 'b\nc\n', isCut: true }],
  ['a\nb\nc', 2, { text: 'b\nc', isCut: true }],
  ['a\nb\n', 2, { text: 'a\nb\n', isCut: false }],
  ['a\nb\n', 0, { text: '', isCut: true }],
  ['', 0, { text: '', isCut: false }],
])('%j: the last %i lines', (text, count, last) => {
  expect(lastLines(text, count)).toEqual(last)
})
