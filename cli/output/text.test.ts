import { expect, test } from 'vitest'
import { clean, cleanLines, cut, escapeControlCharacters, logLine, widthOf } from './text.ts'

test('escapes control characters', () => {
  expect(clean('a\u001b]0;x\u0007b\n')).toBe('a\\u001b]0;x\\u0007b\\u000a')
  expect(clean('\u009b31m \u202e')).toBe('\\u009b31m \\u202e')
  expect(clean('Grüße 漢字')).toBe('Grüße 漢字')
})

test('escapes what changes direction, breaks a line or shows as nothing', () => {
  expect(clean('a\u061cb\u2028c\u2029d')).toBe('a\\u061cb\\u2028c\\u2029d')
  expect(clean('ad\u200bmin \u200c\u200d\u2060\ufeff\u00ad')).toBe(
    'ad\\u200bmin \\u200c\\u200d\\u2060\\ufeff\\u00ad',
  )
  expect(clean('a\u3164\u115f\u180e')).toBe('a\\u3164\\u115f\\u180e')
  expect(clean('a\u{e0061}')).toBe('a\\udb40\\udc61')
  expect(JSON.parse(escapeControlCharacters('"a\u{e0061}"'))).toBe('a\u{e0061}')
})

test('keeps emojis, also those that consist of several', () => {
  for (const text of ['👍🏽', '❤️', '👩‍💻', '👨‍👩‍👧', '🏳️‍🌈', '🤷🏽‍♀️']) expect(clean(text)).toBe(text)
  expect(clean('👩\u200d')).toBe('👩\\u200d')
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
