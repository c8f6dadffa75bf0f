import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../local/harness/folder.ts'
import type { Client } from '../api/client.ts'
import type { StackFile } from '../api/types.ts'
import { fetchContents } from './fetch-contents.ts'
import { planDownload } from './plan-download.ts'
import { checkedEntries, type StoredFile } from './stored-entry.ts'

const digest = createHash('sha256').update('a').digest('hex')
const file = (path: string, more: Partial<StackFile> = {}): StackFile => ({
  path,
  size: 1,
  mode: '0644',
  digest,
  link: null,
  secret: false,
  ...more,
})
const link = (path: string, target: string) =>
  file(path, { link: target, mode: null, digest: null })

test.each([
  ['an absolute path', [file('/etc/cron.d/x')]],
  ['a path that leaves the directory', [file('../x')]],
  ['a path that leaves it in the middle', [file('a/../../x')]],
  ['an empty path', [file('')]],
  ['a control character', [file('a\u001b[2J')]],
  ['a backslash', [file('..\\x')]],
  ['the same path twice', [file('a'), file('a')]],
  ['paths that differ only in case', [file('a'), file('A')]],
  ['a file below a file', [file('a'), file('a/b')]],
  ['a file below a link', [link('a', 'b'), file('a/x')]],
  ['a file below a link in another case', [link('A', 'b'), file('a/x')]],
  ['an absolute link', [link('a', '/etc')]],
  ['a link that leaves the directory', [link('d/a', '../../x')]],
  ['a link through another link', [link('a', 'b'), link('c', 'a/x')]],
  ['a file without a digest', [file('a', { digest: null })]],
  ['a mode with more than permission bits', [file('a', { mode: '4755' })]],
  ['more than 1 GiB', [file('a', { size: 2 ** 31 })]],
])('a list of the service with %s is refused', (_, files) => {
  expect(() => checkedEntries(files)).toThrow('cannot be written')
})

test('nothing is written into .git, where programs run it', async () => {
  await using folder = await temporaryFolder()
  const stored = [file('.git/hooks/pre-commit'), file('lib/.GIT/config'), file('compose.yaml')]
  const plan = await planDownload({
    root: folder.directory,
    stored,
    before: undefined,
    readsSecrets: true,
  })
  expect(plan.git).toEqual(['.git/hooks/pre-commit', 'lib/.GIT/config'])
  expect(plan.write.map(({ path }) => path)).toEqual(['compose.yaml'])
})

/** A service that answers every request for contents with these parts. */
const answering = (...parts: { path: string; offset: number; base64: string }[]) =>
  ({ get: async () => ({ value: { revision: 1, parts, next: null } }) }) as unknown as Client

const wanted: StoredFile[] = ['a', 'b'].map((path) => ({
  path,
  size: 1,
  mode: 0o644,
  digest,
  secret: false,
}))
const base64 = Buffer.from('a').toString('base64')

test.each([
  ['other content', [{ path: 'a', offset: 0, base64: 'Yg==' }]],
  ['more than it listed', [{ path: 'a', offset: 0, base64: 'YWE=' }]],
  ['another part of the file', [{ path: 'a', offset: 1, base64 }]],
  ['other files only', [{ path: 'c', offset: 0, base64 }]],
  ['nothing', []],
  ['one file only', [{ path: 'a', offset: 0, base64 }]],
])('a service that sends %s is refused, and the client does not ask for ever', async (_, parts) => {
  await using folder = await temporaryFolder()
  const source = { name: 'shop', revision: 1 }
  const fetched = fetchContents(answering(...parts), source, wanted, folder.directory, () => {})
  await expect(fetched).rejects.toMatchObject({ exitCode: 1 })
})

test('contents are written under numbers, readable by the user alone', async () => {
  await using folder = await temporaryFolder()
  const parts = ['a', 'b'].map((path) => ({ path, offset: 0, base64 }))
  const source = { name: 'shop', revision: 1 }
  await fetchContents(answering(...parts), source, wanted, folder.directory, () => {})
  expect((await readdir(folder.directory)).sort()).toEqual(['0', '1'])
  expect((await stat(join(folder.directory, '0'))).mode & 0o777).toBe(0o600)
})
