import { expect, test } from 'vitest'
import { foldersMax, scanFolders } from './scan-folders.ts'

const source = { id: 'estate', createdAt: 5 }

/** A tree with these folders, and others without a compose file. */
const treeOf = (folders: readonly string[], others: readonly string[] = []) => ({
  folders: () => folders.map((path) => ({ path, composeFile: 'compose.yaml' })),
  idOf: (path: string) => (folders.includes(path) || others.includes(path) ? 'id' : undefined),
})

/** A stack that follows a folder of the source, or of another one. */
const follows = (id: string, path: string, change: object = {}) => ({
  id,
  source: { source: 'estate', sourceCreatedAt: 5, path, ...change },
})

/** Returns each folder with its stack and state. */
const shown = (folders: readonly string[], stacks: Parameters<typeof scanFolders>[2] = []) =>
  scanFolders(treeOf(folders), source, stacks).folders.map((one) =>
    [one.path, one.stack, one.state].join(' '),
  )

test.each([
  ['no folder', [], [], []],
  ['a free name', ['apps/shop'], [{ id: 'mail' }], ['apps/shop shop new']],
  ['the top of the source', [''], [], [' estate new']],
  ['a stack without a source', ['shop'], [{ id: 'shop' }], ['shop shop taken']],
  ['a stack that follows it', ['shop'], [follows('shop', 'shop')], ['shop shop followed']],
  ['one of another name', ['shop'], [follows('store', 'shop')], ['shop store followed']],
  ['another folder', ['shop'], [follows('shop', 'old/shop')], ['shop shop taken']],
  ['another source', ['shop'], [follows('shop', 'shop', { source: 'other' })], ['shop shop taken']],
  [
    'an earlier source of the name',
    ['shop'],
    [follows('shop', 'shop', { sourceCreatedAt: 4 })],
    ['shop shop taken'],
  ],
  [
    'a stack that follows the other folder of the name',
    ['a/web', 'b/web'],
    [follows('web', 'b/web')],
    ['a/web a-web new', 'b/web web followed'],
  ],
])('says what a stack of a folder would be: %s', (_, folders, stacks, expected) => {
  expect(shown(folders, stacks)).toEqual(expected)
})

test.each([
  ['in lower case', ['My.Shop'], ['myshop']],
  ['without a sign at its start', ['_-shop_1'], ['shop_1']],
  ['with the folders above, from the second on', ['a/web', 'b/web'], ['web', 'b-web']],
  ['with a number', ['A', 'a', 'a.'], ['a', 'a-2', 'a-3']],
  ['that of the source without a usable letter', ['ü', 'é'], ['estate', 'estate-2']],
  ['that of the folder above without a usable letter', ['apps/ü'], ['apps']],
  [
    'of 63 characters at most',
    ['x'.repeat(70), 'x'.repeat(80)],
    ['x'.repeat(63), `${'x'.repeat(61)}-2`],
  ],
])('proposes a valid name, each once: %s', (_, folders, names) => {
  expect(scanFolders(treeOf(folders), source, []).folders.map(({ stack }) => stack)).toEqual(names)
})

test('names all stacks that follow a folder', () => {
  const stacks = [follows('west', 'shop'), follows('east', 'shop')]
  expect(scanFolders(treeOf(['shop']), source, stacks).folders).toEqual([
    {
      path: 'shop',
      composeFile: 'compose.yaml',
      state: 'followed',
      stack: 'east',
      followedBy: ['east', 'west'],
    },
  ])
})

test('names the stacks whose folder is gone, and no others', () => {
  const tree = treeOf(['shop'], ['docs'])
  const stacks = [
    follows('mail', 'old/mail'),
    follows('blog', 'old/blog'),
    follows('shop', 'shop'),
    follows('docs', 'docs'),
    follows('other', 'gone', { source: 'other' }),
    { id: 'plain' },
  ]
  expect(scanFolders(tree, source, stacks).gone).toEqual([
    { stack: 'blog', path: 'old/blog' },
    { stack: 'mail', path: 'old/mail' },
  ])
})

test('shows at most 500 folders and says if there are more, but misses none that is gone', () => {
  const folders = Array.from({ length: foldersMax + 1 }, (_, at) => `f${at + 1000}`)
  const stacks = [follows('last', String(folders.at(-1))), follows('old', 'none')]
  const all = scanFolders(treeOf(folders.slice(1)), source, stacks)
  expect([all.folders.length, all.isTruncated]).toEqual([500, false])
  const cut = scanFolders(treeOf(folders), source, stacks)
  expect([cut.folders.length, cut.isTruncated]).toEqual([500, true])
  expect(cut.gone).toEqual([{ stack: 'old', path: 'none' }])
})
