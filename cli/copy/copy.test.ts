import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { type Entry, packed } from '../../adapters/testing/tar.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { extractTo } from './extract.ts'

const compose = 'services: {web: {image: "busybox:latest", command: sleep 9}}\n'

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const web = present([...world.engine.state.containers.values()][0])
  return Object.assign(world, { web })
}

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'copy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Unpacks a hostile archive into a new directory below another one. */
async function unpacked(...entries: Entry[]) {
  const outside = await newFolder()
  const target = join(outside, 'target')
  const chunks = [await packed(...entries)]
  return { outside, target, result: extractTo(chunks, 'root', target) }
}

test('0: copies a directory out of a container, and into it', async () => {
  await using world = await withShop()
  world.web.uploads = { '/etc/app/a': 'one', '/etc/app/sub/b': 'two' }
  const out = await world.cli('containers cp shop-web-1:/etc/app ./conf')
  expect(out).toMatchObject({ code: 0 })
  expect(await readFile(join(world.home, 'conf/sub/b'), 'utf8')).toBe('two')
  await world.cli('stacks cp shop web:/etc/app/a ./conf')
  expect((await readdir(join(world.home, 'conf'))).sort()).toEqual(['a', 'sub'])
  await writeFile(join(world.home, 'new'), 'three')
  expect(await world.cli('stacks cp shop new web:/etc/app/')).toMatchObject({ code: 0 })
  expect(world.web.uploads['/etc/app/new']).toBe('three')
  expect(await world.cli('containers cp conf shop-web-1:/tmp/other')).toMatchObject({ code: 0 })
  expect(world.web.uploads['/tmp/other/sub/b']).toBe('two')
})

test('2: exactly one of the two is in a container', async () => {
  await using world = await withShop()
  expect((await world.cli('containers cp ./a ./b')).code).toBe(2)
  expect((await world.cli('stacks cp shop web:/a web:/b')).code).toBe(2)
})

test('0: /. copies the content of a directory; - is a tar archive', async () => {
  await using world = await withShop()
  world.web.uploads = { '/etc/app/a': 'one', '/etc/app/sub/b': 'two' }
  await mkdir(join(world.home, 'conf'))
  const out = await world.cli('containers cp shop-web-1:/etc/app/. conf')
  expect(out).toMatchObject({ code: 0 })
  expect((await readdir(join(world.home, 'conf'))).sort()).toEqual(['a', 'sub'])
  expect(await world.cli('stacks cp shop conf/. web:/tmp')).toMatchObject({ code: 0 })
  expect(world.web.uploads['/tmp/sub/b']).toBe('two')
  const streamed = await world.cli('containers cp shop-web-1:/etc/app -')
  expect(streamed.out).toContain('app/sub/b')
  const tar = (await packed({ name: 'c/d', text: 'three' })).toString('latin1')
  expect(await world.cli('containers cp - shop-web-1:/tmp', { stdin: tar })).toMatchObject({
    code: 0,
  })
  expect(world.web.uploads['/tmp/c/d']).toBe('three')
  const absent = await world.cli('containers cp - shop-web-1:/none', { stdin: tar })
  expect(absent).toMatchObject({ code: 1, err: expect.stringContaining('/none is no directory') })
})

test('1: a file is no directory', async () => {
  await using world = await withShop()
  world.web.uploads = { '/etc/app/a': 'one' }
  await mkdir(join(world.home, 'conf'))
  await writeFile(join(world.home, 'new'), 'three')
  for (const words of ['conf shop-web-1:/etc/app/a', 'new shop-web-1:/etc/none/']) {
    const { code, err } = await world.cli(`containers cp ${words}`)
    expect([code, err]).toEqual([1, expect.stringContaining('is no directory in the container')])
  }
  expect(world.web.uploads).toEqual({ '/etc/app/a': 'one' })
})

test('keeps the modes of files and directories, also of one that its owner may not write', async () => {
  const { target, result } = await unpacked(
    { name: 'root/', type: 'directory', mode: 0o700 },
    { name: 'root/closed/', type: 'directory', mode: 0o555 },
    { name: 'root/closed/a', text: 'x', mode: 0o666 },
  )
  await result
  const modeOf = async (path: string) => (await lstat(join(target, path))).mode & 0o777
  expect(await Promise.all(['', 'closed', 'closed/a'].map(modeOf))).toEqual([0o700, 0o555, 0o666])
})

test('refuses a link as the root, and names where it leads', async () => {
  const { result } = await unpacked({ name: 'root', type: 'symlink', linkname: '/usr/lib/release' })
  await expect(result).rejects.toThrow('root is a link: copy /usr/lib/release instead')
})

test('leaves out a link that leads outside by way of another link', async () => {
  const { target, result } = await unpacked(
    { name: 'root/x/y/up', type: 'symlink', linkname: '../..' },
    { name: 'root/out', type: 'symlink', linkname: 'x/y/up/..' },
  )
  expect(await result).toEqual(['out (symlink)'])
  expect(await readdir(target)).toEqual(['x'])
})

test.each([
  ['leaves the target', { name: 'root/../../evil', text: 'x' }],
  ['is absolute', { name: '/evil', text: 'x' }],
  ['has another root', { name: 'evil', text: 'x' }],
])('refuses a name that %s', async (_what, entry) => {
  const { outside, result } = await unpacked(entry)
  await expect(result).rejects.toThrow('unsafe name')
  expect((await readdir(outside)).filter((name) => name !== 'target')).toEqual([])
})

test('keeps links that stay inside, and creates them last', async () => {
  const { target, outside, result } = await unpacked(
    { name: 'root/', type: 'directory' },
    { name: 'root/out', type: 'symlink', linkname: '../..' },
    { name: 'root/etc', type: 'symlink', linkname: '/etc' },
    { name: 'root/in', type: 'symlink', linkname: 'a' },
    { name: 'root/a', text: 'x', mode: 0o4755 },
    { name: 'root/disk', type: 'block-device' },
    { name: 'root/out/evil', text: 'x' },
  )
  expect(await result).toEqual(['out (symlink)', 'etc (symlink)', 'disk (block-device)'])
  expect((await lstat(join(target, 'in'))).isSymbolicLink()).toBe(true)
  expect((await lstat(join(target, 'a'))).mode & 0o7000).toBe(0)
  expect((await lstat(join(target, 'out'))).isDirectory()).toBe(true)
  expect(await readdir(outside)).toEqual(['target'])
})

test('does not write through links that are there already', async () => {
  const outside = await newFolder()
  const target = join(outside, 'target')
  await mkdir(target)
  await writeFile(join(outside, 'mine'), 'mine')
  await symlink('../mine', join(target, 'a'))
  await symlink('..', join(target, 'up'))
  const tar = async (name: string) => [await packed({ name, text: 'x' })]
  await expect(extractTo(await tar('root/a'), 'root', target)).rejects.toThrow('no plain file')
  await expect(extractTo(await tar('root/up/b'), 'root', target)).rejects.toThrow('no directory')
  expect(await readFile(join(outside, 'mine'), 'utf8')).toBe('mine')
  expect((await readdir(outside)).sort()).toEqual(['mine', 'target'])
})

test('1: says that only a part was copied if the archive breaks off', async () => {
  await using world = await withShop()
  const whole = await packed({ name: 'app/a', text: 'one' }, { name: 'app/b', text: 'two' })
  world.engine.readFromContainer = async function* () {
    yield whole.subarray(0, 1024)
    throw new Error('broken')
  }
  const ended = await world.cli('containers cp shop-web-1:/etc/app conf')
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('only a part of /etc/app was copied'),
  })
})
