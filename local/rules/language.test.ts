import { expect, test } from 'vitest'
import { languageOffences, proseOffences } from './language.ts'
import { spokenIn } from './program-text.ts'

const offences = (text: string) => languageOffences({ path: 'a.ts', text })

test.each([
  ['// Asks him for a password', 'a.ts:1: comment: the word "him"'],
  ['/** Nobody may do this. */', 'a.ts:1: comment: the word "Nobody"'],
  ["const text = 'change the own password'", 'a.ts:1: string: the word "the own"'],
  ['const text = `${name}: his role`', 'a.ts:1: string: the word "his"'],
  ['// Who goes ends a pull.', 'a.ts:1: comment: a sentence that begins with "Who g…"'],
  [
    '/**\n * Waits. Of two deploys\n * one runs.\n */',
    'a.ts:1: comment: a sentence that begins with "Of t…"',
  ],
  [`// ${'a '.repeat(60)}`, 'a.ts:1: comment: longer than 100 columns'],
])('finds an offence: %s', (text, offence) => {
  expect(offences(text)).toEqual([offence])
})

test.each([
  ['data without a space', "const user = 'nobody'"],
  ['a name in code', 'const his = 1'],
  ['a long line of code', `const list = [${'1, '.repeat(60)}]`],
  ['a regular expression', 'const pattern = /his "words/'],
  ['a question', "test('asks who may deploy', run)"],
])('accepts: %s', (_, text) => {
  expect(offences(text)).toEqual([])
})

test('Markdown: checks prose, and accepts long code and tables', () => {
  const long = 'word '.repeat(30)
  const text = `His page\n\n${long}\n| ${long} |\n\`\`\`\n${long}\nhis\n\`\`\`\nuse \`his\``
  expect(proseOffences({ path: 'a.md', text })).toEqual([
    'a.md:1: the word "His"',
    'a.md:3: longer than 100 columns',
  ])
})

test('finds texts after templates, divisions and regular expressions', () => {
  const text = [
    'const a = `x ${ { b: `y ${c} z` } } w` // one',
    'const d = (a / 2) / 3 // two',
    'const e = /[/\'"]/.test(a) // three',
  ].join('\n')
  const comments = spokenIn(text).filter(({ kind }) => kind === 'comment')
  expect(comments.map(({ text, line }) => `${line} ${text}`)).toEqual(['1 one', '2 two', '3 three'])
})
