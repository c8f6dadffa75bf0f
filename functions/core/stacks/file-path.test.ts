import { expect, test } from 'vitest'
import { foldedPath, linkTarget, pathProblem } from './file-path.ts'

test.each([
  'a',
  'a/b.conf',
  '.env',
  '.github/x',
  'a b/ä.txt',
  '...',
  'a/..b',
  '__proto__',
  `${'x'.repeat(255)}/y`,
])('accepts %s', (path) => {
  expect(pathProblem(path)).toBeUndefined()
})

test.each([
  ['', 'is empty'],
  ['/etc/passwd', 'is absolute'],
  ['..', 'leaves the directory'],
  ['a/../../b', 'leaves the directory'],
  ['a/..', 'leaves the directory'],
  ['.', 'is not a plain path'],
  ['./a', 'is not a plain path'],
  ['a/./b', 'is not a plain path'],
  ['a//b', 'is not a plain path'],
  ['a/', 'is not a plain path'],
  ['a\\b', 'contains characters'],
  ['..\\a', 'contains characters'],
  ['a\0', 'contains characters'],
  ['a\nb', 'contains characters'],
  ['a\u001b[2J', 'contains characters'],
  ['a\u0085b', 'contains characters'],
  ['a\u202etxt.exe', 'contains characters'],
  ['a\u2028b', 'contains characters'],
  ['a\ufffd', 'contains characters'],
  ['a\ud800', 'contains characters'],
  ['ä'.repeat(128), 'has a name longer than 255 bytes'],
  ['a/'.repeat(512) + 'b', 'is longer than 1024 bytes'],
])('refuses %j', (path, why) => {
  expect(pathProblem(path)).toContain(why)
})

test('the target of a link is relative to the directory of the link', () => {
  expect(linkTarget('a', 'b/c')).toBe('b/c')
  expect(linkTarget('a/b', 'c')).toBe('a/c')
  expect(linkTarget('a/b', './../c//d/')).toBe('c/d')
})

test.each([
  ['a', ''],
  ['a', '/etc/passwd'],
  ['a', '../b'],
  ['a', 'b/../../c'],
  ['a/b', '../../c'],
  ['a', 'b\0'],
  ['a', '..\\b'],
  ['a', 'x'.repeat(1025)],
  ['a', 'a'],
  ['a', './a'],
  ['a', '.'],
  ['a/b', '.'],
  ['a/b', '..'],
  ['a/b/c', '../../a'],
])('400: the link %s to %j', (path, target) => {
  expect(() => linkTarget(path, target)).toThrow(expect.objectContaining({ status: 400 }))
})

test('paths that differ in case or normal form have one folded form', () => {
  expect(foldedPath('compo\u017fe.yaml')).toBe('compose.yaml')
  expect(foldedPath('STRASSE')).toBe(foldedPath('straße'))
  expect(foldedPath('e\u0301')).toBe(foldedPath('É'))
  expect(foldedPath('a')).not.toBe(foldedPath('b'))
})
