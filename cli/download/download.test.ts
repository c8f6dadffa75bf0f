import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../local/harness/client.ts'
import { type FolderContent, fillFolder } from '../../local/harness/folder.ts'

const content: FolderContent = {
  'compose.yaml': `services:
  web:
    image: nginx
    env_file: web.env
    volumes: ["./conf:/conf:ro"]
`,
  'compose.prod.yaml': 'services: {web: {image: "nginx:2"}}\n',
  '.env': 'A=1\n',
  'web.env': 'B=2',
  'conf/a.conf': 'a',
  'conf/empty': '',
  'conf/link.conf': { link: 'a.conf' },
  'conf/deep/run.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'conf/binary': Buffer.from([0, 1, 255]),
}

async function withStack(more: FolderContent = {}) {
  const world = await clientWorld()
  await world.login()
  const shop = join(world.home, 'shop')
  await fillFolder(shop, { ...content, ...more })
  const cli = (line: string, options = {}) => world.cli(line, { cwd: world.home, ...options })
  const created = await cli('stacks create shop', { cwd: shop })
  expect(created.err).not.toContain('cli:')
  expect(created.code).toBe(0)
  return Object.assign(world, { shop, run: cli })
}

/** Returns what a directory has: modes with contents, and targets of links. */
async function treeOf(root: string, below = ''): Promise<Record<string, string>> {
  const all: [string, string][] = []
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(root, path)
    if (entry.isDirectory()) all.push(...Object.entries(await treeOf(root, path)))
    else if (entry.isSymbolicLink()) all.push([path, `-> ${await readlink(full)}`])
    else {
      const { mode } = await lstat(full)
      all.push([path, `${(mode & 0o777).toString(8)} ${(await readFile(full)).toString('hex')}`])
    }
  }
  return Object.fromEntries(all)
}

test('0: writes all files, modes and links; an update from there changes nothing', async () => {
  await using world = await withStack({ 'conf/large.bin': Buffer.alloc(9_000_000, 'x') })
  const ended = await world.run('stacks download shop copies/shop')
  expect(ended).toMatchObject({ code: 0 })
  const copy = join(world.home, 'copies/shop')
  expect(ended.out).toBe(`revision 2 of shop is in ${copy}: 10 written, 0 unchanged\n`)
  const own = await treeOf(world.shop)
  expect(await treeOf(copy)).toEqual({ ...own, '.env': own['.env']?.replace('644', '600') })
  expect((await lstat(join(copy, '.env'))).mode & 0o777).toBe(0o600)
  expect(await readdir(join(world.home, 'copies'))).toEqual(['shop'])
  const updated = await world.run('stacks update shop', { cwd: copy })
  expect(updated).toMatchObject({ code: 0, out: 'shop has not changed, revision 2\n' })
  expect(updated.err).not.toContain('only in the stack')
})

test('0: writes into ./<name>, leaves other files and equal ones alone', async () => {
  await using world = await withStack()
  await writeFile(join(world.shop, 'notes.txt'), 'mine')
  await rm(join(world.shop, 'conf/a.conf'))
  const ended = await world.run('stacks download shop')
  expect(ended.out).toBe(`revision 1 of shop is in ${world.shop}: 1 written, 8 unchanged\n`)
  expect(await treeOf(world.shop)).toMatchObject({
    'notes.txt': expect.any(String),
    'conf/a.conf': '644 61',
  })
  const again = await world.run('stacks download shop --output json')
  expect(JSON.parse(again.out)).toMatchObject({ written: [], unchanged: 9, hidden: [] })
})

test('1: refuses to replace files that differ, with their names; --force replaces them', async () => {
  await using world = await withStack()
  await writeFile(join(world.shop, 'conf/a.conf'), 'mine')
  await chmod(join(world.shop, 'conf/deep/run.sh'), 0o644)
  await rm(join(world.shop, 'conf/link.conf'))
  await symlink('/etc/passwd', join(world.shop, 'conf/link.conf'))
  await rm(join(world.shop, 'conf/binary'))
  const before = await treeOf(world.shop)
  const refused = await world.run('stacks download shop')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(
    'conf/a.conf, conf/deep/run.sh, conf/link.conf differ from the stack',
  )
  expect(refused.err).toContain('--force')
  expect(await treeOf(world.shop)).toEqual(before)
  const shown = await world.run('stacks download shop --dry-run')
  expect(shown).toMatchObject({ code: 0, out: '' })
  expect(shown.err).toContain('writing: conf/binary\nreplacing: conf/a.conf')
  expect(await treeOf(world.shop)).toEqual(before)
  expect((await world.run('stacks download shop --force')).code).toBe(0)
  expect(await treeOf(world.shop)).toMatchObject({
    'conf/a.conf': '644 61',
    'conf/link.conf': '-> a.conf',
    'conf/binary': '644 0001ff',
    'conf/deep/run.sh': expect.stringMatching(/^755/),
  })
})

test('1: writes nothing through a link, and over no directory, also with --force', async () => {
  await using world = await withStack()
  const elsewhere = join(world.home, 'elsewhere')
  await mkdir(elsewhere)
  await rm(join(world.shop, 'conf'), { recursive: true })
  await symlink(elsewhere, join(world.shop, 'conf'))
  await rm(join(world.shop, 'web.env'))
  const linked = await world.run('stacks download shop --force')
  expect(linked).toMatchObject({ code: 1, err: expect.stringContaining('conf is a link here') })
  expect(await readdir(elsewhere)).toEqual([])
  expect(await treeOf(world.shop)).not.toHaveProperty(['web.env'])
  await rm(join(world.shop, 'conf'))
  await mkdir(join(world.shop, 'web.env'))
  const taken = await world.run('stacks download shop --force')
  expect(taken.err).toContain('web.env is a directory here')
  await writeFile(join(world.home, 'file'), '')
  expect((await world.run('stacks download shop file')).err).toContain('is no directory')
})

test('0: an earlier revision; 1: one that is not stored', async () => {
  await using world = await withStack()
  await writeFile(join(world.shop, 'conf/a.conf'), 'new')
  await world.run('stacks update shop', { cwd: world.shop })
  const old = await world.run('stacks download shop old --revision 1')
  expect(old).toMatchObject({ code: 0, out: expect.stringContaining('revision 1 of shop') })
  expect(await readFile(join(world.home, 'old/conf/a.conf'), 'utf8')).toBe('a')
  const none = await world.run('stacks download shop other --revision 9')
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('revision 9') })
  expect((await world.run('stacks download shop other --revision x')).code).toBe(2)
  expect(await readdir(world.home)).not.toContain('other')
})

test('0: without stacks:secrets secret files are named and left out', async () => {
  await using world = await withStack()
  await world.run('users create eve --role viewer', { stdin: 'correct horse battery\n' })
  await world.run(`login ${world.server} --user eve`, { stdin: 'correct horse battery' })
  const ended = await world.run('stacks download shop copy')
  expect(ended.err).toContain('left out, as reading it needs stacks:secrets: .env, web.env\n')
  expect(ended.code).toBe(0)
  const names = Object.keys(await treeOf(join(world.home, 'copy')))
  expect(names).not.toContain('.env')
  expect(names).toContain('compose.yaml')
  // What is here stays, as it cannot be compared.
  expect(await world.run('stacks download shop')).toMatchObject({ code: 0 })
  expect(await treeOf(world.shop)).toHaveProperty(['web.env'])
})

test('0: downloads the changes of the stack, and deletes files that the stack deleted', async () => {
  await using world = await withStack()
  await world.run('stacks download shop other')
  const other = join(world.home, 'other')
  await writeFile(join(other, 'conf/a.conf'), 'newer')
  await rm(join(other, 'conf/deep'), { recursive: true })
  await rm(join(other, 'conf/empty'))
  await fillFolder(other, { 'conf/more': 'm' })
  await world.run('stacks update shop --yes', { cwd: other })
  // An edited file is nothing that the stack had: it stays.
  await writeFile(join(world.shop, 'conf/empty'), 'mine')
  const ended = await world.run('stacks download shop .', { cwd: world.shop })
  expect(ended.err).toContain('writing: conf/a.conf, conf/more\n')
  expect(ended.err).toContain('deleting, as the stack no longer has it: conf/deep/run.sh\n')
  expect(ended.code).toBe(0)
  expect(await readdir(join(world.shop, 'conf'))).toEqual(
    expect.arrayContaining(['a.conf', 'binary', 'empty', 'link.conf', 'more']),
  )
  expect(await readdir(join(world.shop, 'conf'))).not.toContain('deep')
  expect(await readFile(join(world.shop, 'conf/a.conf'), 'utf8')).toBe('newer')
})

test('1: an update names newer files of the stack and sends nothing, without a terminal', async () => {
  await using world = await withStack()
  await world.run('stacks download shop other')
  const other = join(world.home, 'other')
  await writeFile(join(other, 'conf/a.conf'), 'imported')
  await world.run('stacks update shop', { cwd: other })
  await writeFile(join(world.shop, 'web.env'), 'B=3')
  const update = (line: string, options = {}) =>
    world.run(`stacks update shop${line}`, { cwd: world.shop, ...options })
  const refused = await update('')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(
    'changed in the stack after revision 1, which this directory has: conf/a.conf\n',
  )
  expect(refused.err).toContain('cli stacks download shop .')
  expect(await update('', { keys: 'n' })).toMatchObject({ code: 1, out: '' })
  expect((await update(' --dry-run')).err).toContain('conf/a.conf\ndry run')
  // Its own change is no reason to refuse.
  await writeFile(join(world.shop, 'conf/a.conf'), 'imported')
  expect(await update('')).toMatchObject({ code: 0, out: 'shop is saved, revision 3\n' })
  await writeFile(join(other, 'web.env'), 'B=4')
  expect((await world.run('stacks update shop --force', { cwd: other })).code).toBe(0)
  await writeFile(join(world.shop, 'web.env'), 'B=5')
  expect(await update('', { keys: 'y' })).toMatchObject({ code: 0 })
})
