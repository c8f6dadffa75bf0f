import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { type Entry, headersIn, packed } from '../../../adapters/testing/tar.ts'
import { call } from '../../../local/harness/call.ts'
import { givenContainer, world } from '../../../local/harness/world.ts'
import { conflict } from '../../core/errors.ts'
import get from './get.ts'
import update from './update.ts'

async function withFiles(files: Record<string, string> = { '/etc/a': 'one', '/etc/b': 'two' }) {
  const here = world()
  const id = await givenContainer(here, 'one')
  present(here.engine.state.containers.get(id)).uploads = files
  const ask = { ports: here.ports, path: { id: 'one' } }
  const read = (query: Json, as: 'operator' | 'viewer' = 'operator') =>
    call(get, { ...ask, as, query })
  const write = (query: Json, data: string, as: 'operator' | 'viewer' = 'operator') =>
    call(update, { ...ask, as, query, body: { data } })
  return { ...here, read, write, container: present(here.engine.state.containers.get(id)) }
}

const tarOf = async (...entries: Entry[]) => (await packed(...entries)).toString('base64')
const namesIn = async (tar: Buffer) => (await headersIn(tar)).map(({ name }) => name)

test('200: reads a file or a directory as a tar archive', async () => {
  const { read } = await withFiles()
  const file = await read({ path: '/etc/a' })
  expect(file.json).toMatchObject({ kind: 'file', size: 3, next_offset: null })
  expect(await namesIn(Buffer.from(file.json.data, 'base64'))).toEqual(['a'])
  const directory = await read({ path: '/etc' })
  expect(directory.json.kind).toBe('directory')
  expect(await namesIn(Buffer.from(directory.json.data, 'base64'))).toEqual(['etc/a', 'etc/b'])
  expect((await read({ path: '/etc', stat: 'true' })).json).toMatchObject({
    data: '',
    kind: 'directory',
  })
})

test('200: a large archive comes in parts, each with the digest of what is before it', async () => {
  const { read, container } = await withFiles({ '/big': 'x'.repeat(9 * 1024 * 1024) })
  const parts: Buffer[] = []
  let offset: number | null = 0
  while (offset !== null) {
    const { json }: { json: Json } = await read({ path: '/big', offset })
    const before = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
    expect(json.digest_before).toBe(before)
    parts.push(Buffer.from(json.data, 'base64'))
    offset = json.next_offset
  }
  expect([parts.length, await namesIn(Buffer.concat(parts))]).toEqual([3, ['big']])
  container.uploads['/big'] = 'y'.repeat(9 * 1024 * 1024)
  const changed = await read({ path: '/big', offset: 4 * 1024 * 1024 })
  const first = createHash('sha256').update(present(parts[0])).digest('hex')
  expect(changed.json.digest_before).not.toBe(first)
})

test('204: writes files into a directory', async () => {
  const { write, container } = await withFiles()
  const data = await tarOf({ name: 'c', text: 'three' }, { name: 'd/', type: 'directory' })
  expect((await write({ path: '/etc' }, data)).status).toBe(204)
  expect(container.uploads['/etc/c']).toBe('three')
})

test('204: what is written belongs to root and is not set-user-id', async () => {
  const { write, engine } = await withFiles()
  let seen: Awaited<ReturnType<typeof headersIn>> = []
  engine.writeIntoContainer = async (_id, _directory, tar) => {
    seen = await headersIn(tar)
  }
  const data = await tarOf(
    { name: 'sh', text: 'x', mode: 0o6755, uid: 1000, gid: 1000 },
    { name: 'link', type: 'symlink', linkname: '/etc/shadow' },
  )
  expect((await write({ path: '/etc' }, data)).status).toBe(204)
  expect(seen).toMatchObject([
    { name: 'sh', mode: 0o755, uid: 0, gid: 0 },
    { name: 'link', type: 'symlink', linkname: '/etc/shadow' },
  ])
})

test('400: refuses an entry behind a link of the archive, which the Engine would follow', async () => {
  const { write, container } = await withFiles({})
  for (const name of ['a/l/passwd', 'a/./l/b/c', 'a/l/']) {
    const behind = name.endsWith('/') ? { name, type: 'directory' as const } : { name, text: 'x' }
    for (const link of ['./a//l', 'a/l/']) {
      const data = await tarOf({ name: link, type: 'symlink', linkname: '/etc' }, behind)
      const { status, json } = await write({ path: '/srv' }, data)
      expect([name, status, json?.error]).toEqual([
        ...[name, 400, expect.stringContaining('behind a link')],
      ])
    }
  }
  expect(container.uploads).toEqual({})
})

test.each([
  ['a device', { name: 'sda', type: 'block-device' as const }],
  ['a FIFO', { name: 'pipe', type: 'fifo' as const }],
  ['a hard link', { name: 'shadow', type: 'link' as const, linkname: '/etc/shadow' }],
  ['a name that leaves the directory', { name: 'a/../../etc/passwd', text: 'x' }],
  ['an absolute name', { name: '/etc/passwd', text: 'x' }],
])('400: refuses the whole archive for %s', async (_name, entry) => {
  const { write, container } = await withFiles({})
  const data = await tarOf({ name: 'good', text: 'x' }, entry)
  expect((await write({ path: '/' }, data)).status).toBe(400)
  expect(container.uploads).toEqual({})
})

test('400: paths that are not absolute, and no archive', async () => {
  const { read, write } = await withFiles()
  expect((await read({ path: 'etc' })).status).toBe(400)
  expect((await read({})).status).toBe(400)
  expect((await write({ path: '/etc' }, await tarOf())).status).toBe(400)
})

test('403: a viewer, who has no shell either', async () => {
  const { read, write } = await withFiles()
  expect((await read({ path: '/etc' }, 'viewer')).status).toBe(403)
  expect((await write({ path: '/etc' }, 'AAAA', 'viewer')).status).toBe(403)
})

test('404: no such path, directory or container', async () => {
  const { read, write, ports } = await withFiles()
  expect((await read({ path: '/none' })).status).toBe(404)
  expect((await write({ path: '/none' }, await tarOf({ name: 'a', text: 'x' }))).status).toBe(404)
  const none = { ports, as: 'operator' as const, path: { id: 'none' }, query: { path: '/etc' } }
  expect((await call(get, none)).status).toBe(404)
})

test('409: the directory is mounted read-only', async () => {
  const { write, engine } = await withFiles()
  engine.writeIntoContainer = async () => {
    throw conflict('the place in the container is read-only', { reason: 'conflict' })
  }
  expect((await write({ path: '/etc' }, await tarOf({ name: 'a', text: 'x' }))).status).toBe(409)
})

test('422: the archive is damaged', async () => {
  const { write } = await withFiles()
  const data = Buffer.from(await tarOf({ name: 'a', text: 'x'.repeat(600) }), 'base64')
  const cut = data.subarray(0, 700).toString('base64')
  expect((await write({ path: '/etc' }, cut)).status).toBe(422)
})
