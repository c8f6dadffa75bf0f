import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import {
  type Backup,
  forgeStack,
  makeBackup,
  refusedRestore,
  restoreStackBody,
  sha256,
  tryRestore,
} from '../../local/harness/forged-backup.ts'
import type { SavedEntry, SavedStack } from '../core/backups/contents/saved-stack.ts'
import { readTree } from '../core/stacks/tree.ts'
import { tarEntries } from '../core/tar/entries.ts'
import type { ArchiveFile } from '../core/tar/make.ts'
import removeStack from '../stacks/remove.ts'
import updateStack from '../stacks/update.ts'

const path = { name: 'shop' }
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Sets up a backup of the stack with these files in its tree. */
const backedUpWith = (files: object) =>
  makeBackup(async ({ ports }) => {
    const { status, text } = await call(updateStack, { ports, as: 'admin', path, body: { files } })
    if (status !== 200) throw new Error(text)
  })

const tree = {
  'bin/run': { content: '#!/bin/sh', mode: '0755' },
  'conf/site': { content: 'x', mode: '0600' },
  'conf/copy': { content: 'x', mode: '0644' },
  'conf/empty': { content: '', mode: '0644' },
  'tls.key': { content: 'hidden', mode: '0600' },
  'logo.png': { base64: base64(Uint8Array.from([0, 255, 1])), mode: '0644' },
  current: { link: 'conf/site' },
}

const treeOf = async ({ ports }: Backup) =>
  readTree(present(await ports.stacks.find('shop')).files, ports)

/** Returns the entries of the stack's archive as `name: text`, without the directory. */
async function archived({ ports, run }: Backup): Promise<[name: string, text: string][]> {
  const bytes = present(ports.backupTargets.objects.get(`${run.directory}/stack-shop.tar.zst`))
  async function* once() {
    yield bytes
  }
  const found: [string, string][] = []
  for await (const { header, content } of tarEntries(once())) {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(Uint8Array.from(part))
    if (!header.name.startsWith('data/')) found.push([header.name, String(Buffer.concat(parts))])
  }
  return found
}

test('a restored stack has its tree, with modes, links, bytes and secrets', async () => {
  const here = await backedUpWith(tree)
  const before = await treeOf(here)
  expect(Object.keys(before)).toHaveLength(7)
  expect(before['tls.key']).toMatchObject({ secret: true })
  await call(removeStack, { ports: here.ports, as: 'admin', path, body: {} })
  expect(await here.ports.stacks.find('shop')).toBeUndefined()
  const { ended } = await tryRestore(here, restoreStackBody, 'admin')
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
  expect(await treeOf(here)).toEqual(before)
})

test('the archive has each content once, and its record has none', async () => {
  const here = await backedUpWith(tree)
  const [record = ['', ''], ...contents] = await archived(here)
  const [name, text] = record
  expect(name).toBe('stack.json')
  expect(contents.map(([one]) => one).sort()).toEqual(
    ['#!/bin/sh', 'x', '', 'hidden', '\0\u00ff\u0001']
      .map((text) => `contents/${sha256(Buffer.from(text, 'latin1'))}`)
      .sort(),
  )
  expect(text).not.toContain('#!/bin/sh')
})

test('a backup and a restore hold few contents in memory', async () => {
  const size = 1024 * 1024
  const files = Array.from({ length: 20 }, (_, at) => {
    return [`f${at}`, { base64: base64(Buffer.alloc(size, String(at))), mode: '0644' }]
  })
  const body = (part: typeof files) => Object.fromEntries(part)
  const held = { now: 0, most: 0 }
  const here = await makeBackup(async ({ ports }) => {
    for (let at = 0; at < files.length; at += 2) {
      const some = { files: body(files.slice(at, at + 2)) }
      const { status, text } = await call(updateStack, { ports, as: 'admin', path, body: some })
      if (status !== 200) throw new Error(text)
    }
  })
  const { texts } = here.ports
  const { putMany } = texts
  texts.putMany = async (contents) => {
    const bytes = contents.reduce((sum, { length }) => sum + length, 0)
    held.now += bytes
    held.most = Math.max(held.most, held.now)
    await new Promise((resolve) => setImmediate(resolve))
    held.now -= bytes
    return putMany(contents)
  }
  const { ended } = await tryRestore(here, restoreStackBody, 'admin')
  expect(ended).toMatchObject({ status: 'succeeded' })
  expect(held.most).toBe(2 * size)
})

test('restores an archive of the earlier form, with the contents in its record', async () => {
  const here = await backedUpWith(tree)
  const others = {
    'bin/run': { encoding: 'utf8', content: '#!/bin/sh', executable: true },
    'a.bin': { encoding: 'base64', content: 'AP8B', executable: false, mode: 0o600 },
    l: { link: 'a.bin' },
  } as const
  await forgeStack(here, ({ tree: _, ...saved }) => ({ ...saved, format: 1, others, tree: [] }))
  expect((await tryRestore(here, restoreStackBody, 'admin')).ended).toMatchObject({
    status: 'succeeded',
  })
  expect(await treeOf(here)).toMatchObject({
    'bin/run': { sha256: sha256(Buffer.from('#!/bin/sh')), size: 9, mode: 0o755 },
    'a.bin': { sha256: sha256(Uint8Array.from([0, 255, 1])), size: 3, mode: 0o600 },
    l: { link: 'a.bin' },
  })
})

const content = Buffer.from('forged')
const entry = { sha256: sha256(content), size: 6, mode: 0o644 }
const member = (of = content, name = `contents/${sha256(of)}`): ArchiveFile => ({
  path: name,
  content: of,
  mode: 0o600,
})
type Forged = [what: string, tree: [string, SavedEntry][], entries: ArchiveFile[], said: string]
const one: [string, SavedEntry][] = [['a', entry]]

test.each<Forged>([
  ['a path above', [['../victim/x', entry]], [member()], '../victim/x'],
  ['an absolute path', [['/etc/cron.d/x', entry]], [member()], '/etc/cron.d/x'],
  ['a line break in a path', [['a\nb', entry]], [member()], 'characters'],
  ['a path that is too long', [['x'.repeat(300), entry]], [member()], '255'],
  ['another spelling of compose.yaml', [['Compose.yaml', entry]], [member()], 'spelling'],
  ['a file twice', [...one, ...one], [member()], 'twice'],
  ['a file below a file', [...one, ['a/b', entry]], [member()], 'a/b'],
  [
    'a file below a link',
    [
      ['l', { link: 'd' }],
      ['l/b', entry],
    ],
    [member()],
    'l/b',
  ],
  ['two paths that differ in case', [...one, ['A', entry]], [member()], 'case'],
  ['a link out of the directory', [['l', { link: '../victim/.env' }]], [], 'leaves'],
  ['a link to the host', [['l', { link: '/etc/shadow' }]], [], 'absolute'],
  [
    'links in a circle',
    [
      ['l', { link: 'm' }],
      ['m', { link: 'l' }],
    ],
    [],
    'link',
  ],
  ['no content', one, [], 'content of a'],
  ['another content', one, [member(Buffer.from('other!'))], 'content of a'],
  ['a content that is not its digest', one, [member(Buffer.from('other!'), member().path)], 'of a'],
  ['a content of another size', [['a', { ...entry, size: 5 }]], [member()], 'content of a'],
  ['two sizes of one content', [...one, ['b', { ...entry, size: 1 }]], [member()], 'content of b'],
  ['a link for a content', one, [{ ...member(), link: '/etc/shadow' }], 'content of a'],
  ['a file over the limit', [['a', { ...entry, size: 2 ** 34 }]], [], 'stack.max_file_bytes'],
  [
    'files over the limit together',
    Array.from({ length: 9 }, (_, at) => [`f${at}`, { ...entry, size: 9e6 }]),
    [],
    'stack.max_bytes',
  ],
  [
    'more files than the limit',
    Array.from({ length: 6000 }, (_, at) => [`f${at}`, entry]),
    [member()],
    'stack.max_files',
  ],
  ['a set-user-id bit', [['a', { ...entry, mode: 0o4755 }]], [member()], 'record'],
  ['a digest that is a path', [['a', { ...entry, sha256: '../../x' }]], [member()], 'record'],
])('422: rejects a saved stack with %s', async (_what, forged, entries, said) => {
  const here = await backedUpWith(tree)
  const before = await treeOf(here)
  await forgeStack(here, () => ({ tree: forged }) satisfies Partial<SavedStack>, entries)
  expect(await tryRestore(here, restoreStackBody, 'admin')).toMatchObject(refusedRestore(422, said))
  expect(await treeOf(here)).toEqual(before)
})

test('a target that serves another archive the second time changes nothing', async () => {
  const here = await backedUpWith(tree)
  const honest = new Map(here.ports.backupTargets.objects)
  await forgeStack(here, () => ({ tree: one }), [member()])
  const forged = present(
    here.ports.backupTargets.objects.get(`${here.run.directory}/stack-shop.tar.zst`),
  )
  for (const [key, bytes] of honest) here.ports.backupTargets.objects.set(key, bytes)
  await here.ports.backupRuns.save(here.run)
  const before = await treeOf(here)
  const { open } = here.ports.backupTargets
  let reads = 0
  here.ports.backupTargets.open = async (...words) => {
    const target = await open(...words)
    async function* bytes() {
      yield forged
    }
    const get: typeof target.get = async (name, options) => {
      if (!name.includes('stack-shop')) return target.get(name, options)
      reads += 1
      return reads > 2 ? bytes() : target.get(name, options)
    }
    return { ...target, get }
  }
  const { ended } = await tryRestore(here, restoreStackBody, 'admin')
  expect(reads).toBe(3)
  expect(ended).toMatchObject({ status: 'failed' })
  expect(await treeOf(here)).toEqual(before)
})
