import { expect, test } from 'vitest'
import { type ReadScalars, readScalars } from './read-scalars.ts'

const read = (text: string) => readScalars(text) as ReadScalars

test('the values of a file, in their order, with their places in the text', () => {
  const text = 'a: one\nb:\n  - c: "t\\two"\n    d: 5\n  - |\n    three\ne: [x, true, ]\nf:\n'
  const { scalars, entries } = read(text)
  expect(scalars.map(({ path, value }) => [path.join('.'), value])).toEqual([
    ['a', 'one'],
    ['b.0.c', 't\two'],
    ['b.0.d', 5],
    ['b.1', 'three\n'],
    ['e.0', 'x'],
    ['e.1', true],
    ['f', null],
  ])
  expect(scalars.slice(0, 3).map(({ start, end }) => text.slice(start, end))).toEqual([
    'one',
    '"t\\two"',
    '5',
  ])
  expect(entries.map(({ key, start, end }) => [key, text.slice(start, end)])).toEqual([
    ['a', 'a: one\n'],
    ['b', 'b:\n  - c: "t\\two"\n    d: 5\n  - |\n    three\n'],
    ['e', 'e: [x, true, ]\n'],
    ['f', 'f:\n'],
  ])
})

test.each([
  ['an anchor', 'a: &x 1\n', 'it has an anchor, an alias or a tag', 1],
  ['an alias', 'a: &x {b: 1}\nc: *x\n', 'it has an anchor, an alias or a tag', 1],
  ['a tag', 'a: 1\nb: !!str 1\n', 'it has an anchor, an alias or a tag', 2],
  ['a merge', 'a: 1\n<<: {b: 1}\n', 'it has a key that is no text', 2],
  ['a number as a key', '8080: a\n', 'it has a key that is no text', 1],
  ['a key twice', 'a: 1\nb: 1\na: 2\n', 'it has a key twice', 3],
  ['a list', '- a\n', 'its top is no mapping', 1],
  ['a flow mapping', '{a: 1}\n', 'its top is no mapping', 1],
  ['nothing', '', 'it is empty', 1],
  ['two documents', 'a: 1\n---\nb: 1\n', 'it has several documents', 1],
  ['an indented top', '  a: 1\n', 'its keys are indented', 1],
  ['no YAML', 'a: 1\nb: [\n', 'it is no valid YAML', expect.any(Number)],
  ['65 levels', `a: ${'['.repeat(65)}1${']'.repeat(65)}\n`, 'it is nested too deeply', 1],
  ['many nodes', `a: [${'1,'.repeat(40_000)}]\n`, 'it has more than 40000 nodes', 1],
])('is not read: %s', (_, text, problem, line) => {
  expect(readScalars(text)).toEqual({ problem, line })
})

test('a file that is nested without end does not stall', () => {
  const text = `a: ${'['.repeat(100_000)}`
  expect(readScalars(text)).toHaveProperty('problem')
})
