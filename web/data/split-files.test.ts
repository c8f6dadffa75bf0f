import { expect, test } from 'vitest'
import { splitFiles } from './split-files.ts'
import type { PackedFile } from './tar.ts'

const mebibyte = 1024 * 1024
const file = (path: string, size: number): PackedFile => ({
  path,
  file: new File([new Uint8Array(size)], path),
  mode: 0o644,
})
const paths = (files: readonly PackedFile[]) => files.map(({ path }) => path)

test('sends small files first, as many as fit', () => {
  const files = [file('large', 1.5 * mebibyte), file('small', 10), file('middle', 1.5 * mebibyte)]
  const [first, rest] = splitFiles(files, 0)
  expect([paths(first), paths(rest)]).toEqual([['small', 'large'], ['middle']])
})

test('leaves room for the compose files of the same request', () => {
  const files = [file('large', 1.5 * mebibyte), file('small', 10)]
  const [first, rest] = splitFiles(files, 2 * mebibyte)
  expect([paths(first), paths(rest)]).toEqual([['small'], ['large']])
})

test('sends a file of more than 2 MiB after the request', () => {
  const [first, rest] = splitFiles([file('huge', 2 * mebibyte + 1)], 0)
  expect([paths(first), paths(rest)]).toEqual([[], ['huge']])
})
