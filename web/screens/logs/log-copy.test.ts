import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { copiedText, fileText } from './log-copy.ts'
import { LogRing } from './log-ring.ts'

setTexts(en)

function ringOf(...texts: string[]): LogRing {
  const ring = new LogRing(100)
  for (const text of texts) ring.add({ time: 't', text, source: '', kind: 'stdout' })
  return ring
}
const display = { json: true }

test('a selection is copied from the ring, in either direction', () => {
  const ring = ringOf('one', '\u001b[31mtwo\u001b[0m', 'three')
  const from = { sequence: 0, offset: 1 }
  const to = { sequence: 2, offset: 2 }
  expect(copiedText(ring, from, to, display)).toBe('ne\ntwo\nth')
  expect(copiedText(ring, to, from, display)).toBe('ne\ntwo\nth')
  expect(copiedText(ring, { ...from, offset: 2 }, { ...from, offset: 0 }, display)).toBe('on')
})

test('a file has every line that is kept', () => {
  expect(fileText(ringOf('a', 'b'))).toBe('t a\nt b\n')
})

test('a line that is cut is copied as a whole if the selection leads beyond it', () => {
  const long = `begin ${'x'.repeat(20_000)} end`
  const ring = ringOf('one', long, 'two')
  const all = copiedText(ring, { sequence: 0, offset: 0 }, { sequence: 2, offset: 3 }, display)
  expect(all).toBe(`one\n${long}\ntwo`)
  const words = 'Show all of it (20 KiB) '
  const from = { sequence: 1, offset: words.length }
  expect(copiedText(ring, from, { ...from, offset: words.length + 5 }, display)).toBe('begin')
  expect(copiedText(ring, { ...from, offset: 0 }, { ...from, offset: 4 }, display)).toBe('')
})
