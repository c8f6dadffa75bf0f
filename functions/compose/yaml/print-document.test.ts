import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printDocument } from './print-document.ts'

test.each([
  'plain',
  'a: b\n',
  'no newline at the end\nof two lines',
  'windows\r\nlines\r\n',
  '  indented first\nthen not\n',
  'blanks at the end\n   ',
  'a control character \u0007\n',
  '# a comment?\n- a list?\n',
  '',
  'true',
  '012',
  'x'.repeat(500),
])('reads back what it printed: %j', (text) => {
  const value = { text, list: [{ text }] }
  expect(parse(printDocument(value))).toEqual(value)
})

test.each(['1_000', '0b1', '2026-11-30', '+.inf'])(
  'quotes what the Compose tools do not read as a text: %j',
  (text) => {
    expect(printDocument({ a: text })).toBe(`a: "${text}"\n`)
  },
)

test('texts of several lines are blocks, and equal objects are written out', () => {
  const one = { a: 'x\ny\n' }
  expect(printDocument({ one, other: one })).toBe(
    'one:\n  a: |\n    x\n    y\nother:\n  a: |\n    x\n    y\n',
  )
})
