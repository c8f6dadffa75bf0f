import { expect, test } from 'vitest'
import { composeFolders } from './compose-folders.ts'

test.each([
  ['nothing', [], []],
  ['no compose file', ['README.md', 'apps/shop/my-compose.yaml', 'compose.yaml/a'], []],
  ['the top', ['compose.yaml'], [['', 'compose.yaml']]],
  [
    'several folders, sorted',
    ['b/compose.yml', 'a/b/docker-compose.yaml', 'a/docker-compose.yml'],
    [
      ['a', 'docker-compose.yml'],
      ['a/b', 'docker-compose.yaml'],
      ['b', 'compose.yml'],
    ],
  ],
  [
    'the one that Compose takes',
    ['docker-compose.yaml', 'compose.yml', 'docker-compose.yml', 'compose.yaml'],
    [['', 'compose.yaml']],
  ],
  [
    'in another order',
    ['a/compose.yml', 'a/docker-compose.yml', 'a/docker-compose.yaml'],
    [['a', 'compose.yml']],
  ],
] as const)('folders with a compose file: %s', (_, files, folders) => {
  const found = composeFolders(files).map(({ path, composeFile }) => [path, composeFile])
  expect(found).toEqual(folders)
})
