import { expect, test } from 'vitest'
import { clean, cleanLines, cut, logLine, widthOf } from './text.ts'

test('escapes control characters', () => {
  expect(clean('a\u001b]0;x\u0007b\n')).toBe('a\\u001b]0;x\\u0007b\\u000a')
  expect(clean('\u009b31m \u202e')).toBe('\\u009b31m \\u202e')
  expect(clean('Grüße 漢字')).toBe('Grüße 漢字')
})

test('keeps line feeds and tabs in a text', () => {
  expect(cleanLines('a\r\n\tb\u001b[2J\n')).toBe('a\n\tb\\u001b[2J\n')
})

test('keeps only colour sequences in a log line', () => {
  expect(logLine('plain')).toBe('plain')
  expect(logLine('\u001b[1;31mred\u001b[2J')).toBe('\u001b[1;31mred\\u001b[2J\u001b[0m')
})

test('measures width in terminal columns', () => {
  expect(widthOf('abc')).toBe(3)
  expect(widthOf('漢字')).toBe(4)
  expect(widthOf('e\u0301')).toBe(1)
  expect(cut('abcdef', 4)).toBe('abc…')
  expect(cut('漢字漢', 5)).toBe('漢字…')
})
