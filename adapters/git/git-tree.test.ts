import { expect, test } from 'vitest'
import { checkSizes, neededEntries } from './git-tree.ts'
import { modes, type TreeEntry } from './repository.ts'

const limits = { bytes: 100, fileBytes: 60, files: 2 }
const entry = (path: string, mode = '100644'): TreeEntry => ({ path, mode, id: path })
const estate = [
  entry('apps', modes.folder),
  entry('apps/shop', modes.folder),
  entry('apps/shop/compose.yaml'),
  entry('apps/shop/now', modes.link),
  entry('apps/mail', modes.folder),
  entry('apps/mail/compose.yaml'),
  entry('apps/mail/.env'),
  entry('libs', modes.folder),
  entry('libs/engine', modes.submodule),
  entry('odd', modes.folder),
  entry('odd/a\\b'),
]
const needed = (...paths: string[]) => neededEntries(estate, paths, limits).map(({ path }) => path)

test('each path has its own limit, and a file that two need is there once', () => {
  const mail = ['apps/mail/compose.yaml', 'apps/mail/.env']
  expect(needed('apps/shop', 'apps/mail')).toEqual([
    'apps/shop/compose.yaml',
    'apps/shop/now',
    ...mail,
  ])
  expect(needed('apps/mail', 'apps/mail/.env')).toEqual(mail)
  expect(needed('none')).toEqual([])
  expect(needed()).toEqual([])
  expect(() => needed('apps/shop', 'apps')).toThrow('the folder apps has 4 files')
})

test('a submodule or an odd name elsewhere is no matter, and one that is needed is named', () => {
  expect(needed('apps/mail')).toHaveLength(2)
  for (const path of ['libs', 'libs/engine', 'libs/engine/src', '']) {
    expect(() => needed('apps/mail', path)).toThrow('libs/engine in the repository is a submodule')
  }
  expect(() => needed('odd')).toThrow('rename it')
})

test('the sizes of a path do not count for another one', () => {
  const check = (size: number, ...paths: string[]) => {
    const files = neededEntries(estate, paths, { ...limits, files: 9 })
    checkSizes(files, paths, new Map(files.map(({ id }) => [id, size])), limits)
  }
  check(50, 'apps/shop', 'apps/mail')
  expect(() => check(51, 'apps/shop', 'apps/mail')).toThrow('the folder apps/shop have 102 bytes')
  expect(() => check(30, 'apps/shop', 'apps')).toThrow('the folder apps have 120 bytes')
  expect(() => check(61, 'apps/mail')).toThrow('stack.max_file_bytes')
})
