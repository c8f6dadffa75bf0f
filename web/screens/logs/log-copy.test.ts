import { expect, test } from 'vitest'
import { copiedText, fileText } from './log-copy.ts'
import { LogRing } from './log-ring.ts'

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
