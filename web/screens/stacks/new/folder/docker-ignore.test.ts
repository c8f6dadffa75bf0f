import { expect, test } from 'vitest'
import { dockerIgnore } from './docker-ignore.ts'
import { ignoredFiles } from './ignored-files.ts'

test.each([
  ['dist', 'dist/a/b', true],
  ['dist', 'src/dist', false],
  ['/dist/', 'dist/a', true],
  ['**/*.log', 'a/b/c.log', true],
  ['**/*.log', 'c.log', true],
  ['*.log', 'a/c.log', false],
  ['a/**', 'a/b/c', true],
  ['*\n!keep', 'keep', false],
  ['*\n!keep', 'other', true],
  ['# dist', 'dist', false],
  ['te?t.[a-c]', 'test.b', true],
  ['[', '[', false],
  ['', 'a', false],
])('%j and %s: %s', (text, path, ignored) => {
  expect(dockerIgnore(text)(path)).toBe(ignored)
})

const picked = (texts: Record<string, string>) =>
  Object.entries(texts).map(([path, text]) => ({ path, file: new File([text], path) }))

test('leaves out files that every context ignores and no compose file names', async () => {
  const files = picked({
    '.dockerignore': 'tmp\nnginx.conf\n*.md\n',
    'tmp/a': '',
    'tmp/b': '',
    'nginx.conf': '',
    'README.md': '',
    'main.go': '',
  })
  const ignored = await ignoredFiles(files, [''], 'build: .\nvolumes: ["./nginx.conf:/n"]')
  expect(ignored.paths).toEqual(['tmp/', 'README.md'])
  expect([...ignored.files].map(({ path }) => path)).toEqual(['tmp/a', 'tmp/b', 'README.md'])
})

test('a context without an ignore file ignores nothing', async () => {
  const files = picked({ '.dockerignore': 'api', 'api/a': '' })
  expect((await ignoredFiles(files, ['', 'api'], '')).paths).toEqual([])
})
