import { execFileSync } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { type FolderContent, fillFolder } from '../../local/harness/folder.ts'

const compose = `services:
  web:
    image: nginx
    env_file: web.env
    volumes: ["./conf:/conf:ro"]
`
const content: FolderContent = {
  'compose.yaml': compose,
  'web.env': 'A=1',
  'conf/a.conf': 'a',
  'conf/b.conf': 'b',
  'conf/link.conf': { link: 'a.conf' },
  'conf/run.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'conf/binary': Buffer.from([0, 1, 255]),
}

async function withFolder(more: FolderContent = {}) {
  const world = await clientWorld()
  await world.login()
  const cwd = join(world.home, 'shop')
  await fillFolder(cwd, { ...content, ...more })
  const { cli: run } = world
  const cli = (line: string, options = {}) => run(line, { cwd, ...options })
  const files = async () => {
    const { out } = await cli('stacks get shop --output json')
    const { files } = JSON.parse(out) as {
      files: { path: string; size: number; mode: string | null; link: string | null }[]
    }
    return Object.fromEntries(files.map((file) => [file.path, file.link ?? file.mode]))
  }
  return Object.assign(world, { cwd, cli, files })
}

const all = {
  'compose.yaml': '0644',
  'conf/a.conf': '0644',
  'conf/b.conf': '0644',
  'conf/binary': '0644',
  'conf/link.conf': 'a.conf',
  'conf/run.sh': '0755',
  'web.env': '0644',
}

test('0: create and update keep byte order marks and line ends', async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
  const sent = { 'compose.yaml': windows(compose), '.env': windows('A=1\nB=2\n') }
  await using world = await withFolder({ ...sent, 'conf/win.txt': windows('a\nb') })
  await world.cli('stacks create shop')
  const { out } = await world.cli('stacks get shop --output json')
  const stored = JSON.parse(out) as { compose: string; env: string }
  expect([stored.compose, stored.env]).toEqual([sent['compose.yaml'], sent['.env']])
  const updated = await world.cli('stacks update shop')
  expect(updated.out).toBe('shop has not changed, revision 1\n')
})

test('0: create sends a small directory in one request and names what it sends', async () => {
  await using world = await withFolder()
  const created = await world.cli('stacks create shop')
  expect(created.err).toContain(
    [
      'sending compose.yaml and 6 files, 18 B',
      '  web.env',
      '  conf/  mounted read-only by web: 5 files, 15 B',
      '',
    ].join('\n'),
  )
  expect(created.code).toBe(0)
  expect(await world.files()).toEqual(all)
})

test('0: create uploads a large directory in parts; all arrives', async () => {
  await using world = await withFolder({ 'conf/large.bin': Buffer.alloc(5_000_000, 'x') })
  const created = await world.cli('stacks create shop')
  expect(created).toMatchObject({ code: 0, out: `shop is saved on host ${localHost.name}\n` })
  expect(await world.files()).toEqual({ ...all, 'conf/large.bin': '0644' })
})

test('0: --dry-run sends nothing', async () => {
  await using world = await withFolder()
  expect((await world.cli('stacks create shop --dry-run')).err).toContain('dry run')
  const { out } = await world.cli('stacks create shop --dry-run --output json')
  expect(JSON.parse(out)).toMatchObject({ stack_files: ['compose.yaml'], left_out: [] })
  expect((await world.cli('stacks get shop')).code).toBe(1)
  await world.cli('stacks create shop')
  await writeFile(join(world.cwd, 'conf/a.conf'), 'new')
  expect((await world.cli('stacks update shop --dry-run')).err).toContain(
    'changed: conf/a.conf; 6 unchanged\ndry run: nothing was sent\n',
  )
  expect((await world.cli('stacks update shop')).out).toBe('shop is saved, revision 2\n')
})

test('0: update sends what differs: contents, modes, links and what was included before', async () => {
  await using world = await withFolder({ 'notes.txt': 'one' })
  await world.cli('stacks create shop --include notes.txt')
  const same = await world.cli('stacks update shop')
  expect(same.err).toContain('nothing changed in 8 files')
  expect(same.err).toContain('found compose.yaml')
  expect(same.err).not.toContain('next:')
  expect(same.out).toBe('shop has not changed, revision 1\n')
  await writeFile(join(world.cwd, 'notes.txt'), 'two')
  await chmod(join(world.cwd, 'conf/b.conf'), 0o600)
  await rm(join(world.cwd, 'conf/link.conf'))
  await fillFolder(world.cwd, { 'conf/link.conf': { link: 'b.conf' } })
  const updated = await world.cli('stacks update shop')
  expect(updated.err).toContain('changed: conf/b.conf, conf/link.conf, notes.txt; 5 unchanged')
  expect(await world.files()).toMatchObject({ 'conf/b.conf': '0600', 'conf/link.conf': 'b.conf' })
})

test('0: update asks before it deletes files, and keeps them without a terminal', async () => {
  await using world = await withFolder({ 'conf/large.bin': Buffer.alloc(5_000_000, 'x') })
  await world.cli('stacks create shop')
  await rm(join(world.cwd, 'conf/a.conf'))
  await rm(join(world.cwd, 'conf/link.conf'))
  const kept = await world.cli('stacks update shop')
  expect(kept.err).toContain(
    'only in the stack: conf/a.conf, conf/link.conf\nkeeping these 2 files; --yes deletes\n',
  )
  const refused = await world.cli('stacks update shop', { keys: 'n' })
  expect(refused).toMatchObject({ code: 0, err: expect.stringContaining('keeping these 2 files') })
  expect(await world.files()).toHaveProperty(['conf/a.conf'])
  const agreed = await world.cli('stacks update shop', { keys: 'y' })
  expect(agreed.err).toContain('deleting these 2 files')
  expect(await world.files()).not.toHaveProperty(['conf/a.conf'])
  await rm(join(world.cwd, 'conf/b.conf'))
  await fillFolder(world.cwd, { 'conf/other.bin': Buffer.alloc(5_000_000, 'y') })
  expect((await world.cli('stacks update shop --yes')).err).toContain('deleting this file')
  expect(await world.files()).toMatchObject({ 'conf/other.bin': '0644' })
  expect(await world.files()).not.toHaveProperty(['conf/b.conf'])
})

test('0: update loads with the .env and files that only the stack has', async () => {
  await using world = await withFolder({
    '.env': 'TAG=1',
    'compose.yaml': `${compose}    user: \${TAG:?}\n`,
  })
  await world.cli('stacks create shop')
  await rm(join(world.cwd, '.env'))
  await rm(join(world.cwd, 'web.env'))
  expect(await world.cli('stacks update shop')).toMatchObject({
    code: 0,
    err: expect.stringContaining('keeping this file'),
  })
  expect(await world.files()).toMatchObject({ '.env': '0600', 'web.env': '0644' })
})

test('0: names a pattern of --include that matches no file', async () => {
  await using world = await withFolder({ 'notes.txt': 'one' })
  const words =
    'stacks create shop --include nomatch --include *.txt --include conf --include web.env'
  const { code, err } = await world.cli(words)
  expect(err).toContain('missing:\n  --include nomatch  matches no file\n')
  expect(err.match(/matches no file/g)).toHaveLength(1)
  expect(code).toBe(0)
})

test('0: a compose file from standard input replaces that file alone', async () => {
  await using world = await withFolder()
  await world.cli('stacks create shop')
  const stdin = compose.replace('nginx', 'httpd')
  expect(await world.cli('stacks update shop --file -', { stdin })).toMatchObject({ code: 0 })
  expect((await world.cli('stacks get shop')).out).toContain('httpd')
  expect(await world.files()).toEqual(all)
})

test('1: a change by someone else in the meantime is not overwritten', async () => {
  await using world = await withFolder()
  await world.cli('stacks create shop')
  await writeFile(join(world.cwd, 'conf/a.conf'), 'new')
  await world.cli('stacks update shop')
  const stale = await world.cli('stacks update shop --revision 1')
  expect(stale).toMatchObject({ code: 1, err: expect.stringContaining('someone changed it') })
})

test('1: says what is wrong before anything is sent', async () => {
  await using world = await withFolder({
    'compose.yaml': 'services: {web: {image: x, env_file: n.env}}',
  })
  expect(await world.cli('stacks create shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('compose.yaml:1:'),
  })
  await rm(join(world.cwd, 'web.env'))
  execFileSync('mkfifo', [join(world.cwd, 'n.env')])
  expect((await world.cli('stacks create shop')).err).toContain('n.env is a FIFO')
})

test('1: names the directory to use for a project that needs files outside of its own', async () => {
  await using world = await withFolder({
    'deploy/compose.yaml': 'services: {web: {image: x, env_file: ../web.env}}',
  })
  const cwd = join(world.cwd, 'deploy')
  const outside = await world.cli('stacks create shop', { cwd })
  expect(outside.code).toBe(1)
  expect(outside.err).toContain(`the project needs files outside of ${cwd}`)
  expect(outside.err).toContain('--directory ..')
  expect(await world.cli('stacks create shop --directory ..', { cwd })).toMatchObject({ code: 0 })
  expect(await world.files()).toEqual({
    'compose.yaml': '0644',
    'deploy/compose.yaml': '0644',
    'web.env': '0644',
  })
})

test('1: a file outside that one service may lack and another needs is needed', async () => {
  await using world = await withFolder({
    'deploy/compose.yaml': [
      'services:',
      '  web: {image: x, env_file: [{path: ../web.env, required: false}]}',
      '  job: {image: x, env_file: ../web.env}',
    ].join('\n'),
  })
  const outside = await world.cli('stacks create shop', { cwd: join(world.cwd, 'deploy') })
  expect(outside).toMatchObject({ code: 1, err: expect.stringContaining('needs files outside') })
})

test('1: more than the service accepts: names the largest directories', async () => {
  await using world = await withFolder()
  await fillFolder(
    world.cwd,
    Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`conf/many/${at}`, ''])),
  )
  const refused = await world.cli('stacks create shop')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('5001 in conf/many') })
})
