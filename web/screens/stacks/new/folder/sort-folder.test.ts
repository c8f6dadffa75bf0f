import { expect, test } from 'vitest'
import { placesIn } from './compose-places.ts'
import { reasonOf, sortFolder } from './sort-folder.ts'

const files = (sizes: Record<string, number>) =>
  Object.entries(sizes).map(([path, size]) => ({ path, file: { size } }))

test('finds the compose file, its overlays and .env', () => {
  const { main, env, overlays, groups } = sortFolder(
    files({
      '.env': 1,
      'compose.prod.yml': 2,
      'compose.yml': 3,
      'conf/a': 4,
      'conf/b': 5,
      'x.sh': 6,
    }),
  )
  expect(main?.path).toBe('compose.yml')
  expect(env?.path).toBe('.env')
  expect([...overlays.keys()]).toEqual(['prod'])
  expect(groups.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['conf/', 9],
    ['x.sh', 6],
  ])
})

test('compose.yaml wins over older names, which are sent as they are', () => {
  const { main, groups } = sortFolder(files({ 'docker-compose.yml': 1, 'compose.yaml': 1 }))
  expect(main?.path).toBe('compose.yaml')
  expect(groups.map(({ path }) => path)).toEqual(['docker-compose.yml'])
})

test('refuses large files and paths that the service refuses', () => {
  const { refused } = sortFolder(files({ big: 17 * 1024 * 1024, 'a\u202eb': 1, 'a/b c ä': 1 }))
  expect(refused).toEqual([
    { path: 'big', reason: 'large' },
    { path: 'a\u202eb', reason: 'path' },
  ])
})

test('a directory that containers write to is a group of its own', () => {
  const all = files({ 'app/a': 1, 'app/data/b': 2, 'app/data/c': 3 })
  expect(sortFolder(all, ['app/data', '']).groups.map(({ path }) => path)).toEqual([
    'app/',
    'app/data/',
  ])
})

test.each([
  ['data/', 2e6, 'volumes:\n  - ./other:/data-2\n', 'unused'],
  ['data/', 2e6, 'volumes:\n  - ./data:/data\n', 'data'],
  ['data/', 2e6, 'volumes: ["./data/db:/data"]\n', undefined],
  ['data/', 2e6, 'volumes:\n  - .:/app\n', 'data'],
  ['data/', 2e6, 'volumes:\n  - ./data:/data:ro\n', undefined],
  ['data/', 2e6, 'services:\n  web:\n    build: .\n', undefined],
  ['data/', 10, 'volumes: ["./data:/data"]', undefined],
  ['.DS_Store', 10, '', 'junk'],
])('%s of %d bytes beside %j: %s', (path, bytes, text, reason) => {
  expect(reasonOf({ path, files: [], bytes }, text, placesIn(text))).toBe(reason)
})
