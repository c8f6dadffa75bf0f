import { expect, test } from 'vitest'
import type { StackFile } from '../../../data/stack-files.ts'
import { mainFileOf, overlaysOf, rowsOf, tabPathsOf } from './tree.ts'

const files = (...paths: string[]): StackFile[] =>
  paths.map((path) => ({
    path,
    size: 1,
    mode: '0644',
    digest: 'a'.repeat(64),
    link: null,
    secret: false,
  }))
const shown = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ kind, name, depth }) => `${' '.repeat(depth)}${name}${kind === 'folder' ? '/' : ''}`)

test('folders come first, each before its content', () => {
  const all = files('.env', 'a/10.txt', 'a/9.txt', 'a/b/c', 'compose.yaml', 'z/y')
  expect(shown(rowsOf(all, new Set()))).toEqual([
    ...['a/', ' b/', '  c', ' 9.txt', ' 10.txt', 'z/', ' y', '.env', 'compose.yaml'],
  ])
})

test('a closed folder hides its content', () => {
  expect(shown(rowsOf(files('a/b/c', 'a/d', 'e'), new Set(['a'])))).toEqual(['a/', 'e'])
})

test('knows the main file, overlays and tabs', () => {
  const all = files('.env', 'compose.prod.yaml', 'compose.yaml', 'conf/compose.test.yaml')
  expect(mainFileOf(all)).toBe('compose.yaml')
  expect(overlaysOf(all)).toEqual(['prod'])
  expect(tabPathsOf(all)).toEqual(['compose.yaml', 'compose.prod.yaml', '.env'])
  expect(mainFileOf(files('docker-compose.yml', 'a'))).toBe('docker-compose.yml')
})
