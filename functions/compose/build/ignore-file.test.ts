import { describe, expect, test } from 'vitest'
import { ignoreFile } from './ignore-file.ts'
import { pathPattern } from './path-pattern.ts'

const left = (text: string, ...paths: string[]) => {
  const file = ignoreFile(text, '.dockerignore')
  return paths.filter((path) => !file.ignores(path))
}

describe('patterns', () => {
  test.each<[string, string[], string[]]>([
    ['a', ['a'], ['b', 'aa', 'x/a']],
    ['*', ['a', '.a'], ['a/b']],
    ['*.md', ['a.md', '.md'], ['a.mdx', 'd/a.md']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'a/b']],
    ['a/**', ['a/b', 'a/b/c'], ['b/a']],
    ['**', ['a', 'a/b'], []],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['x**y', ['xy', 'x/y', 'xa/y'], ['xay']],
    ['**a', ['a', 'xa', 'x/ya'], ['ab']],
    ['**a*', ['a', 'ab', 'x/ab'], ['xa']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
    ['[^a-c]x', ['dx', '/x'], ['ax', 'cx']],
    ['a[/]b', ['a/b'], ['ab']],
    ['?', ['a', 'ä', '😀'], ['ab', '/']],
    ['[😀]', ['😀'], ['a']],
    ['[\\]a]x', [']x', 'ax'], ['bx']],
    ['a.b', ['a.b'], ['axb']],
    ['a\\*', ['a*'], ['ab']],
    ['a$', ['a$'], ['a']],
  ])('%s', (pattern, yes, no) => {
    const { matches } = pathPattern(pattern)
    expect([...yes, ...no].filter(matches)).toEqual(yes)
  })

  test('matches a hostile pattern in linear time', () => {
    expect(pathPattern(`${'**/'.repeat(300)}*a*a*a*a*b`).matches('a/'.repeat(300))).toBe(false)
  })
})

describe('an ignore file', () => {
  test('ignores comments, blank lines, a byte order mark and redundant slashes', () => {
    const text = '\uFEFF# note\n\n  /a/ \r\n./b\nx/../c\n'
    expect(left(text, 'a', 'b', 'c', 'note', '# note')).toEqual(['note', '# note'])
  })

  test('ignores everything in an ignored directory', () => {
    expect(left('node_modules', 'node_modules/a/b', 'src/node_modules')).toEqual([
      'src/node_modules',
    ])
  })

  test('the last match decides, and ! includes a path again', () => {
    const text = 'docs\n!docs/keep.md\ndocs/keep.md.old\n*.log\n!a.log\n'
    const paths = ['docs', 'docs/a', 'docs/keep.md', 'docs/keep.md.old', 'a.log', 'b.log']
    expect(left(text, ...paths)).toEqual(['docs/keep.md', 'a.log'])
    expect(left('!a\n*', 'a')).toEqual([])
  })

  test('can ignore everything except some paths', () => {
    expect(left('**\n!src/**\nsrc/x', 'a', 'src/a/b', 'src/x', 'src/x/y')).toEqual(['src/a/b'])
  })

  test('a pattern that leaves the context matches nothing', () => {
    expect(left('../a\nb/../../a\n/../b', 'a', 'b')).toEqual(['a'])
  })

  test('a slash before ! is removed as before any other pattern', () => {
    expect(left('*\n/!a', 'a', 'b')).toEqual(['a'])
  })

  test('removes white space as builders do', () => {
    expect(left('\u0085a\u2028\nb\ufeff\n/ c', 'a', 'b', 'c')).toEqual(['b'])
  })

  test.each(['!', '! ', '!/', '/!', '[a', '[]', '[-a]', '[a-]', '[b-a]', 'a\\'])(
    '422: %s is not a pattern',
    (text) => {
      expect(() => ignoreFile(text, 'app/.dockerignore')).toThrow(/^app\/\.dockerignore: /)
    },
  )
})
