import { expect, test } from 'vitest'
import { checkShape, isCovered, type TreeShape } from './tree-shape.ts'

/** Returns the shape of a tree: a path alone is a file, `path -> target` is a link. */
const shape = (...entries: string[]) =>
  new Map(
    entries.map((entry) => {
      const [path = '', link] = entry.split(' -> ')
      return [path, { link }] as const
    }),
  )

const check = (tree: TreeShape) => checkShape(tree, new Set(tree.keys()))

test.each([
  [['a', 'b/c', 'b/d', 'bc']],
  [['a', 'l -> a', 'd/l -> ../a', 'd/e/l -> ..' + '/f']],
  [['a/b', 'l -> a', 'm -> missing/file']],
  [['__proto__', 'constructor/x']],
])('accepts %j', (entries) => {
  expect(() => check(shape(...entries))).not.toThrow()
})

test.each([
  ['a file where a directory is needed', ['a', 'a/b'], 422],
  ['the same in the other order', ['a/b/c', 'a'], 422],
  ['the same in another case', ['A', 'a/b'], 422],
  ['a file below a link', ['d/x', 'l -> d', 'l/y'], 422],
  ['two cases of one name', ['readme', 'README'], 422],
  ['two cases of one directory with the same file', ['conf/a', 'Conf/a'], 422],
  ['two normal forms of one name', ['caf\u00e9', 'cafe\u0301'], 422],
  ['a link that leaves the directory', ['a', 'l -> ../a'], 400],
  ['a link to itself', ['l -> l'], 400],
  ['links to each other', ['l -> m', 'm -> l'], 400],
  ['a link to a link', ['a', 'l -> a', 'm -> l'], 400],
  ['a link through a link', ['d/a', 'l -> d', 'm -> l/a'], 400],
])('refuses %s', (_name, entries, status) => {
  expect(() => check(shape(...entries))).toThrow(expect.objectContaining({ status }))
})

test('accepts 5,000 deep paths', () => {
  const deep = Array.from({ length: 5000 }, (_, at) => `${'a/'.repeat(200)}${at}`)
  expect(() => check(shape(...deep))).not.toThrow()
})

test('a pair that was stored before is refused only if one of them changes', () => {
  const tree = shape('readme', 'README', 'other')
  expect(() => checkShape(tree, new Set(['other']))).not.toThrow()
  expect(() => checkShape(tree, new Set(['readme']))).toThrow('only in case')
  expect(() => checkShape(tree, new Set(['README']))).toThrow('only in case')
})

test('a path is covered by itself and by its directories', () => {
  const covers = new Set(['keys', 'a/b'])
  expect(['keys', 'keys/tls/x', 'a/b'].every((path) => isCovered(path, covers))).toBe(true)
  expect(['key', 'a', 'keys2'].some((path) => isCovered(path, covers))).toBe(false)
})
