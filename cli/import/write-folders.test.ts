import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../local/harness/folder.ts'
import type { PeerStack } from './peer-stack.ts'
import { pathInFolder, writeFolders } from './write-folders.ts'

test.each([
  ['compose.yaml', 'compose.yaml', 'compose.yaml'],
  ['deploy/compose.yaml', 'deploy/compose.yaml', 'compose.yaml'],
  ['compose.yaml', 'secrets/key.txt', 'secrets/key.txt'],
  ['deploy/compose.yaml', 'other.yaml', undefined],
  ['compose.yaml', '.git/config', undefined],
  ['compose.yaml', 'secrets/.env', undefined],
  ['compose.yaml', '..', undefined],
  ['compose.yaml', 'a b.yaml', undefined],
])('beside %s, the path of %s is %s', (first, path, inside) => {
  expect(pathInFolder(first, path)).toBe(inside)
})

const stack: PeerStack = {
  peerName: 'shop',
  name: 'shop',
  host: 'local',
  status: 'running',
  directory: null,
  composeFiles: ['deploy/compose.yaml', 'deploy/compose.prod.yaml'],
  files: ['deploy/compose.yaml', 'deploy/compose.prod.yaml', 'deploy/conf/a.txt'].map((path) => ({
    path,
    size: 2,
    text: 'x\n',
  })),
  env: { A: '1' },
  git: null,
  updates: 'none',
  writtenFromEnv: ['stack.env'],
  leftOut: [],
  needs: null,
  notes: [],
  refused: null,
  folder: null,
}

test('writes all files of a stack beside its first compose file', async () => {
  await using parent = await temporaryFolder({})
  const [written] = await writeFolders([stack], parent.directory)
  const root = join(parent.directory, '0')
  expect(written?.folder?.compose).toMatchObject({
    root,
    main: { path: 'compose.yaml' },
    overlays: { prod: { path: 'compose.prod.yaml' } },
    sources: ['compose.yaml', 'compose.prod.yaml'],
    env: 'A=1\n',
  })
  expect(await readFile(join(root, 'conf/a.txt'), 'utf8')).toBe('x\n')
  expect(await readFile(join(root, 'stack.env'), 'utf8')).toBe('A=1\n')
})

test.each<[paths: string[], writtenFromEnv: string[]]>([
  [['deploy/conf', 'deploy/conf/a.txt'], []],
  [[], ['..']],
])('%j and the variables in %j cannot be in one folder', async (paths, writtenFromEnv) => {
  await using parent = await temporaryFolder({})
  const more = paths.map((path) => ({ path, size: 2, text: 'x\n' }))
  const odd = { ...stack, files: [...stack.files, ...more], writtenFromEnv }
  const written = await writeFolders([odd, stack], parent.directory)
  expect(written.map(({ folder, needs }) => [folder === null, needs])).toEqual([
    [true, expect.stringContaining('the path of a directory')],
    [false, null],
  ])
})

test('writes nothing for a stack with a file elsewhere', async () => {
  await using parent = await temporaryFolder({})
  const files = [...stack.files, { path: 'other.txt', size: 2, text: 'x\n' }]
  const [written] = await writeFolders([{ ...stack, files }], parent.directory)
  expect(written?.folder).toBeNull()
})
