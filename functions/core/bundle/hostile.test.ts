import { gunzipSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { archiveOf } from '../../../local/harness/bundle.ts'
import { unpack } from './unpack.ts'

const megabyte = 1024 * 1024

/** Returns the paths of a packed bundle, or the message with which it is refused. */
async function paths(packed: Uint8Array, max = 4 * megabyte): Promise<string[] | string> {
  const found: string[] = []
  async function* once() {
    yield packed
  }
  try {
    for await (const { path, content } of unpack(once(), max)) {
      for await (const _ of content);
      found.push(path)
    }
    return found
  } catch (error) {
    expect(error).toMatchObject({ status: 400 })
    return (error as Error).message
  }
}

/** Returns an archive with extended headers that contradict the plain ones. */
async function withPax(pax: Record<string, string>, name = 'a', content = 'text') {
  const archive = pack()
  archive.entry({ name, pax }, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** Returns an archive whose one entry has a different type flag. */
async function withFlag(flag: string) {
  const tar = gunzipSync(await archiveOf([[{ name: 'a' }, '']]))
  tar.write(flag, 156)
  tar.write('        ', 148)
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return gzipSync(tar)
}

test.each([
  ['a path that leaves', { path: '../../etc/passwd' }, 'leaves the directory'],
  ['an absolute path', { path: '/etc/passwd' }, 'is absolute'],
  ['a line end in a path', { path: 'a\nb' }, 'contains characters'],
  ['a long path', { path: 'a/'.repeat(600) + 'b' }, 'a path that is too long'],
  ['a size that is none', { size: 'x' }, ''],
  ['a size that is not there', { size: '99999999999' }, ''],
  ['a negative size', { size: '-1' }, ''],
])('extended headers with %s are refused', async (_name, pax, words) => {
  const refused = await paths(await withPax(pax as Record<string, string>))
  expect(refused).toBeTypeOf('string')
  expect(refused).toContain(words)
})

test('megabytes of extended headers are refused', async () => {
  const bundle = await withPax({ comment: 'x'.repeat(3 * megabyte) })
  expect(await paths(bundle)).toBe('bundle: the header of an entry is too large')
})

test.each(['1', '2', '3', '4', '6', 'S', 'D', 'M', 'V', 'Z'])(
  'an entry of the type %s is refused',
  async (flag) => {
    expect(await paths(await withFlag(flag))).toBeTypeOf('string')
  },
)

test('a bundle that grows without end is refused at its allowance', async () => {
  const bundle = await archiveOf([[{ name: 'a' }, Buffer.alloc(8 * megabyte)]])
  expect(bundle.length).toBeLessThan(64 * 1024)
  expect(await paths(bundle)).toBe(`bundle: unpacked it is larger than ${4 * megabyte} bytes`)
})

test('zeros after the end count as well', async () => {
  const tar = gunzipSync(await archiveOf([[{ name: 'a' }, 'b']]))
  const bundle = gzipSync(Buffer.concat([tar, Buffer.alloc(8 * megabyte)]))
  expect(await paths(bundle)).toBeTypeOf('string')
})

test('several gzip members are one archive', async () => {
  const tar = gunzipSync(await archiveOf([[{ name: 'a' }, 'b']]))
  const members = [tar.subarray(0, 300), tar.subarray(300)].map((half) => gzipSync(half))
  expect(await paths(Buffer.concat(members))).toEqual(['a'])
})

test('what hides behind the end of the archive is no entry, or refuses it', async () => {
  const [first, second] = await Promise.all([
    archiveOf([[{ name: 'a' }, 'b']]),
    archiveOf([[{ name: '../x' }, 'b']]),
  ])
  for (const bundle of [
    Buffer.concat([first!, second!]),
    gzipSync(Buffer.concat([gunzipSync(first!), gunzipSync(second!)])),
  ]) {
    const found = await paths(bundle)
    if (typeof found === 'string') expect(found).toContain('leaves the directory')
    else expect(found).toEqual(['a'])
  }
})

test('a directory and a file of one path, and files in a file, are refused', async () => {
  for (const entries of [
    [{ name: 'a' }, { name: 'a/', type: 'directory' as const }],
    [{ name: './a' }, { name: 'a' }],
    [{ name: 'a' }, { name: 'a/b' }],
  ]) {
    expect(await paths(await archiveOf(entries.map((header) => [header, ''])))).toBeTypeOf('string')
  }
})

test.each([
  ['compose.yaml', 'Compose.yaml'],
  ['.env', '.ENV'],
  ['compose.prod.yaml', 'COMPOSE.PROD.YAML'],
  ['compose.prod.yaml', 'compose.Prod.yaml'],
  ['compose.yaml', './compo\u017fe.yaml'],
])('%s and %s, which differ in case only, are refused', async (one, other) => {
  for (const names of [
    [one, other],
    [other, one],
  ]) {
    const refused = await paths(await archiveOf(names.map((name) => [{ name }, ''])))
    expect(refused).toContain('only in case or normalization')
  }
})

test('other files may differ in case only, and stack files in a directory', async () => {
  const names = ['Readme', 'README', 'a/.env', 'A/.env', 'compose.yaml', 'compose.a.yaml', '.env']
  expect(await paths(await archiveOf(names.map((name) => [{ name }, ''])))).toEqual(names)
})
