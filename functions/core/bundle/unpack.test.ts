import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { archiveOf, type Entry } from '../../../local/harness/bundle.ts'
import fc from '../../../local/harness/properties.ts'
import { Failure } from '../errors.ts'
import { type BundleEntry, unpack } from './unpack.ts'

const limits = (unpackedMax: number) => ({ unpackedMax, entriesMax: 10_000, links: false })

async function* inParts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Uint8Array, size = 4096, max = 1 << 20) {
  const found: [path: string, type: BundleEntry['type'], content: string][] = []
  for await (const { path, type, content } of unpack(inParts(bytes, size), limits(max))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    found.push([path, type, Buffer.concat(chunks).toString('latin1')])
  }
  return found
}

const name = fc.stringMatching(/^[a-z0-9_. -]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text))
const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 3000 })), {
  selector: ([path]) => path,
  maxLength: 12,
})

test('reads plain files as they were packed, in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 5000 }), async (given, size) => {
      const entries = given.map(([path, bytes]): Entry => [{ name: path }, Buffer.from(bytes)])
      const found = await read(await archiveOf(entries), size)
      const wanted = given.map(([path, bytes]) => [
        path,
        'file',
        Buffer.from(bytes).toString('latin1'),
      ])
      expect(found).toEqual(wanted)
    }),
    { numRuns: 60 },
  )
})

const odd = fc.record({
  name: fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('..', '../a', '/a', 'a/..', './', 'a/./b', 'a//b', 'compose.yaml', '\0'),
    fc
      .array(fc.constantFrom('a', 'b', '..', '.', ''), { maxLength: 5 })
      .map((list) => list.join('/')),
  ),
  type: fc.constantFrom('file', 'directory', 'symlink', 'link', 'fifo', 'block-device'),
  mode: fc.integer({ min: 0, max: 0o7777 }),
})

test('returns only plain, unique files inside the directory, or fails with 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { maxLength: 6 }), async (given) => {
      const entries = given.map(
        ({ type, ...header }): Entry => [{ ...header, type: type as 'file', linkname: 'x' }],
      )
      const found = await read(await archiveOf(entries)).catch((error) => {
        expect(error).toMatchObject({ status: 400 })
        return []
      })
      const paths = found.map(([path]) => path).filter((path) => path !== '')
      expect(new Set(paths).size).toBe(paths.length)
      for (const path of paths) {
        expect(path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')).toBe(
          true,
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('reads changed bytes or rejects them with 400, and never hangs', async () => {
  const whole = await archiveOf([
    [{ name: 'compose.yaml' }, 'services: {}\n'],
    [{ name: 'a' }, 'b'],
  ])
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.nat(whole.length),
      async (at, value, length) => {
        const bytes = Buffer.from(whole.subarray(0, length))
        if (at < length) bytes[at] = value
        await read(bytes, 64).catch((error) => expect(error).toBeInstanceOf(Failure))
      },
    ),
    { numRuns: 300 },
  )
})

test('reads a large bundle little further than its contents are taken', async () => {
  const megabyte = 1 << 20
  const entries = Array.from(
    { length: 16 },
    (_, at): Entry => [{ name: `${at}.bin` }, randomBytes(megabyte)],
  )
  const packed = await archiveOf(entries)
  let given = 0
  async function* counted() {
    for await (const part of inParts(packed, 65_536)) {
      given += part.length
      yield part
    }
  }
  let taken = 0
  let ahead = 0
  for await (const { content } of unpack(counted(), limits(32 * megabyte))) {
    for await (const chunk of content) {
      ahead = Math.max(ahead, given - taken)
      taken += chunk.length
    }
  }
  expect(taken).toBe(16 * megabyte)
  expect(ahead).toBeLessThan(2 * megabyte)
})

test('rejects an endless entry header before it fills the memory', async () => {
  const head = Buffer.alloc(512)
  head.write('x'.repeat(20), 0)
  head.write('0000644\0', 100)
  head.write('77777777777\0', 124)
  head.write('        x', 148)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const bytes = gzipSync(Buffer.concat([head, Buffer.alloc(8 << 20, 'a')]))
  await expect(read(bytes, 4096, 1 << 30)).rejects.toMatchObject({ status: 400 })
})
