import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { beginTar, tarOf } from './make.ts'
import { watchTar } from './watch.ts'

async function* pieces(content: Uint8Array, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function watched(content: Uint8Array, size = 1000) {
  const { stream, files } = watchTar(pieces(content, size))
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), files: files() }
}

const file = (path: string, content: string) => ({
  path,
  content: Buffer.from(content),
  mode: 0o644,
})

/** Writes the checksum of a header that was changed. */
function sum(header: Uint8Array) {
  header.fill(32, 148, 156)
  const total = header.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  header.set(Buffer.from(`${total.toString(8).padStart(6, '0')}\0 `), 148)
}

test('passes an archive on unchanged and counts its files, in chunks of any size', async () => {
  const long = `data/${'deep/'.repeat(60)}ü`
  const archive = await tarOf([file('a', ''), file(long, 'x'.repeat(1500)), file('c', 'y')])
  for (const size of [1, 7, 511, 512, 513, 4096, 1_000_000]) {
    const { bytes, files } = await watched(archive, size)
    expect(files, `pieces of ${size}`).toBe(3)
    expect(Buffer.compare(bytes, archive)).toBe(0)
  }
})

test('does not count directories and links', async () => {
  const archive = pack()
  archive.entry({ name: 'd', type: 'directory' })
  archive.entry({ name: 'l', type: 'symlink', linkname: 'd' })
  archive.entry({ name: 'f' }, 'x')
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  expect((await watched(Buffer.concat(chunks))).files).toBe(1)
})

test('rejects a truncated archive', async () => {
  const archive = await tarOf([file('a', 'x'.repeat(3000)), file('b', 'y')])
  for (const length of [0, 1, 512, 700, 2000, 3600, archive.length - 1024]) {
    await expect(watched(archive.subarray(0, length)), `${length} bytes`).rejects.toThrow('cut')
  }
})

test('reads sizes from extended headers and in base 256', async () => {
  const size = 3000
  const content = Buffer.alloc(Math.ceil(size / 512) * 512, 'x')
  const end = Buffer.alloc(1024)
  const header = (await beginTar([file('big', '')])).slice(0, 512)
  const record = `13 size=${size}\n`
  const pax = await beginTar([file('pax', record)])
  pax[156] = 'x'.charCodeAt(0)
  sum(pax)
  const extended = Buffer.concat([pax, header, content, await tarOf([file('after', 'y')])])
  expect((await watched(extended)).files).toBe(2)
  const large = Buffer.from(header)
  large.fill(0, 124, 136)
  large[124] = 0x80
  large.writeUInt32BE(size, 132)
  sum(large)
  expect((await watched(Buffer.concat([large, content, end]))).files).toBe(1)
  await expect(watched(Buffer.concat([large, content.subarray(512)]))).rejects.toThrow('cut')
})

test('rejects data that is not an archive', async () => {
  await expect(watched(Buffer.alloc(5000, 'z'))).rejects.toThrow('not a tar archive')
})
