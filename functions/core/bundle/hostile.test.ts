import { gunzipSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { archiveOf } from '../../../local/harness/bundle.ts'
import { unpack } from './unpack.ts'

const limits = (unpackedMax: number) => ({ unpackedMax, entriesMax: 10_000, links: false })

const megabyte = 1024 * 1024

/** Returns the paths of a packed bundle, or the message with which it is refused. */
async function paths(packed: Uint8Array, max = 4 * megabyte): Promise<string[] | string> {
  const found: string[] = []
  async function* once() {
    yield packed
  }
  try {
    for await (const { path, content } of unpack(once(), limits(max))) {
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
  ['a path outside the directory', { path: '../../etc/passwd' }, 'leaves the directory'],
  ['an absolute path', { path: '/etc/passwd' }, 'is absolute'],
  ['a line break in a path', { path: 'a\nb' }, 'contains characters'],
  ['a long path', { path: 'a/'.repeat(600) + 'b' }, 'a path that is too long'],
  ['an invalid size', { size: 'x' }, ''],
  ['a missing size', { size: '99999999999' }, ''],
  ['a negative size', { size: '-1' }, ''],
])('rejects extended headers with %s', async (_name, pax, words) => {
  const refused = await paths(await withPax(pax as Record<string, string>))
  expect(refused).toBeTypeOf('string')
  expect(refused).toContain(words)
})

test('rejects megabytes of extended headers', async () => {
  const bundle = await withPax({ comment: 'x'.repeat(3 * megabyte) })
  expect(await paths(bundle)).toBe('bundle: the header of an entry is too large')
})

test.each(['1', '2', '3', '4', '6', 'S', 'D', 'M', 'V', 'Z'])(
  'rejects an entry of type %s',
  async (flag) => {
    expect(await paths(await withFlag(flag))).toBeTypeOf('string')
  },
)

test('rejects an endless bundle at its size limit', async () => {
  const bundle = await archiveOf([[{ name: 'a' }, Buffer.alloc(8 * megabyte)]])
  expect(bundle.length).toBeLessThan(64 * 1024)
  expect(await paths(bundle)).toBe(`bundle: unpacked it is larger than ${4 * megabyte} bytes`)
})

test('counts the zeros after the end of the archive', async () => {
  const tar = gunzipSync(await archiveOf([[{ name: 'a' }, 'b']]))
  const bundle = gzipSync(Buffer.concat([tar, Buffer.alloc(8 * megabyte)]))
  expect(await paths(bundle)).toBeTypeOf('string')
})

test('reads several gzip members as one archive', async () => {
  const tar = gunzipSync(await archiveOf([[{ name: 'a' }, 'b']]))
  const members = [tar.subarray(0, 300), tar.subarray(300)].map((half) => gzipSync(half))
  expect(await paths(Buffer.concat(members))).toEqual(['a'])
})

test('ignores or rejects data after the end of the archive', async () => {
  const [first, second] = await Promise.all([
    archiveOf([[{ name: 'a' }, 'b']]),
    archiveOf([[{ name: '../x' }, 'b']]),
  ])
  for (const bundle of [
    Buffer.concat([first, second]),
    gzipSync(Buffer.concat([gunzipSync(first), gunzipSync(second)])),
  ]) {
    const found = await paths(bundle)
    if (typeof found === 'string') expect(found).toContain('leaves the directory')
    else expect(found).toEqual(['a'])
  }
})

test('rejects a directory and a file with one path, and files inside a file', async () => {
  for (const entries of [
    [{ name: 'a' }, { name: 'a/', type: 'directory' as const }],
    [{ name: './a' }, { name: 'a' }],
    [{ name: 'a' }, { name: 'a/b' }],
  ]) {
    expect(await paths(await archiveOf(entries.map((header) => [header, ''])))).toBeTypeOf('string')
  }
})

const archiveWith = (...names: string[]) => archiveOf(names.map((name) => [{ name }, '']))

test.each(['a/b', 'a/b/c', './a/b'])('rejects the file a after %s', async (inside) => {
  expect(await paths(await archiveWith(inside, 'a'))).toBe(
    'bundle: "a" is a file, but an earlier entry is inside it',
  )
  expect(await paths(await archiveWith('a', inside))).toContain('is inside a file')
})

test('accepts a directory after its files, and names that begin alike', async () => {
  const entries = [{ name: 'a/b' }, { name: 'a/', type: 'directory' as const }, { name: 'ab' }]
  const bundle = await archiveOf(entries.map((header) => [header, '']))
  expect(await paths(bundle)).toEqual(['a/b', 'a', 'ab'])
})

test('rejects few files in very many directories', async () => {
  const deep = Array.from({ length: 25 }, (_, at) => `${at}/${'a/'.repeat(500)}b`)
  expect(await paths(await archiveWith(...deep))).toContain('more than 10000 entries')
  expect(await paths(await archiveWith(...deep.slice(0, 5)))).toHaveLength(5)
})

test.each([
  ['compose.yaml', 'Compose.yaml'],
  ['.env', '.ENV'],
  ['compose.prod.yaml', 'COMPOSE.PROD.YAML'],
  ['compose.prod.yaml', 'compose.Prod.yaml'],
  ['compose.yaml', './compo\u017fe.yaml'],
])('rejects %s and %s, which differ only in case', async (one, other) => {
  for (const names of [
    [one, other],
    [other, one],
  ]) {
    const refused = await paths(await archiveOf(names.map((name) => [{ name }, ''])))
    expect(refused).toContain('only in case or normalization')
  }
})

test('accepts other files that differ only in case, and stack files in a directory', async () => {
  const names = ['Readme', 'README', 'a/.env', 'A/.env', 'compose.yaml', 'compose.a.yaml', '.env']
  expect(await paths(await archiveOf(names.map((name) => [{ name }, ''])))).toEqual(names)
})
