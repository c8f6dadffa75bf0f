import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { keepEnds, withoutMark } from './line-ends.ts'

/** Returns a text as an editor has it. */
const inEditor = (text: string) =>
  withoutMark(text)
    .split(/\r\n?|\n/)
    .join('\n')

test.each([
  ['a changed letter changes one line', 'a\r\nb\r\nc', 'a\nbX\nc', 'a\r\nbX\r\nc'],
  ['a new line ends as the others', 'a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
  ['a line after the last one', 'a\r\nb', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
  ['a removed line', 'a\r\nb\r\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
  ['another text', 'a\r\nb\r\n', 'x\ny', 'x\r\ny'],
  ['a file of \\n stays one', 'a\nb\n', 'a\nnew\nb\n', 'a\nnew\nb\n'],
  ['an old file of \\r', 'a\rb\r', 'aX\nb\n', 'aX\rb\r'],
  ['mixed line ends stay', 'a\r\nb\nc\r\nd\n', 'a\nb\ncX\nd\n', 'a\r\nb\ncX\r\nd\n'],
  [
    'mixed line ends between two changes',
    'a\r\nb\nc\r\nd\n',
    'aX\nb\nc\ndX\n',
    'aX\r\nb\nc\r\ndX\r\n',
  ],
  ['the byte order mark', '\uFEFFa\r\nb', 'aX\nb', '\uFEFFaX\r\nb'],
  ['the byte order mark of a file of \\n', '\uFEFFa\n', 'aX\n', '\uFEFFaX\n'],
  ['an empty text', '\uFEFFa\r\n', '', ''],
])('keeps %s', (_, file, edited, expected) => {
  expect(keepEnds(file)(edited)).toBe(expected)
})

test('a text that is taken back is that of the file, whatever was typed before', () => {
  const file = '\uFEFFA=1\r\nB=2\r\n\r\nC=3'
  const withEnds = keepEnds(file)
  for (const typed of ['', 'x', 'A=1\nB=2\n', '\n\n\n']) withEnds(typed)
  expect(withEnds('A=1\nB=2\n\nC=3')).toBe(file)
})

test('the text of an unchanged file is the file', () => {
  const part = fc.constantFrom('\r\n', '\n', '\r', 'a', 'b', '')
  fc.assert(
    fc.property(fc.boolean(), fc.array(part), (hasMark, parts) => {
      const text = parts.join('')
      fc.pre(text !== '')
      const file = (hasMark ? '\uFEFF' : '') + text
      expect(keepEnds(file)(inEditor(file))).toBe(file)
    }),
  )
})

test('an edit changes no other line of a file with one kind of line ends', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 })
  fc.assert(
    fc.property(lines, lines, fc.constantFrom('\r\n', '\n'), (before, after, end) => {
      fc.pre(before.length > 1 && after.join('') !== '')
      expect(keepEnds(before.join(end))(after.join('\n'))).toBe(after.join(end))
    }),
  )
})
