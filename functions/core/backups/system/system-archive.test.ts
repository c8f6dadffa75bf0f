import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import { readSystemArchive, type SystemPart } from './read-system.ts'
import { systemArchive } from './system-archive.ts'
import type { SystemFile, SystemSource } from './system-parts.ts'

const never = new AbortController().signal
const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') }
const file = (path: string, content: string, mode = 0o600): SystemFile => ({
  path,
  mode,
  content: Buffer.from(content),
})

/** A source that returns the first list of files on the first call and the second on the next. */
function sourceOf(files: [SystemFile[], SystemFile[]], chunks = 3): SystemSource {
  let call = 0
  return {
    files: async () => present(files[call++]),
    async *items() {
      for (let at = 0; at < chunks; at += 1) {
        yield { table: 'items', count: 2, lines: Buffer.from(`{"Item":${at}}\n{"Item":"b"}\n`) }
      }
      yield { table: 'logs', count: 1, lines: Buffer.from('{"Item":"row"}\n') }
    },
  }
}

async function bytesOf(source: SystemSource): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of systemArchive(source, clock, never)) parts.push(chunk)
  return Buffer.concat(parts)
}

async function* pieces(bytes: Buffer, size = 700) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer): Promise<SystemPart[]> {
  const parts: SystemPart[] = []
  for await (const part of readSystemArchive(pieces(bytes))) parts.push(part)
  return parts
}

const files: SystemFile[] = [file('secret-key', 'one'), file('agent-authority.pem', 'ca', 0o400)]

test('an archive returns its files with their modes, its items, and the counts', async () => {
  const parts = await read(await bytesOf(sourceOf([files, files])))
  expect(parts.map(({ kind }) => kind)).toEqual([
    ...['about', 'items', 'items', 'items', 'items', 'file', 'file', 'end'],
  ])
  expect(parts[0]).toMatchObject({ about: { version: 1, createdAt: '2026-11-21T12:00:00.000Z' } })
  expect(parts.at(-1)).toEqual({ kind: 'end', counts: { files: 2, items: 6, logs: 1 } })
  expect(parts[4]).toMatchObject({ table: 'logs', count: 1 })
  const authority = parts[6] as SystemFile
  expect([authority.path, authority.mode, String(authority.content)]).toEqual([
    ...['agent-authority.pem', 0o400, 'ca'],
  ])
})

test('keeps keys that were added or removed during the read, and the older audit head', async () => {
  const gone = file('secret-keys/000000000000001-0123456789abcdef', 'gone')
  const come = file('secret-keys/000000000000002-0123456789abcdef', 'come')
  const source = sourceOf([
    [gone, file('audit-head', '7')],
    [come, file('audit-head', '9')],
  ])
  const parts = await read(await bytesOf(source))
  const kept = parts.flatMap((part) => (part.kind === 'file' ? [String(part.content)] : []))
  expect(kept.sort()).toEqual(['7', 'come', 'gone'])
})

test('422: a truncated archive, or one with a missing part', async () => {
  const bytes = await bytesOf(sourceOf([files, files]))
  for (let cut = 0; cut < bytes.length - 1024; cut += 512) {
    await expect(read(bytes.subarray(0, cut))).rejects.toMatchObject({ status: 422 })
    await expect(read(bytes.subarray(0, cut + 100))).rejects.toMatchObject({ status: 422 })
  }
  const without = Buffer.concat([bytes.subarray(0, 1024), bytes.subarray(2048)])
  await expect(read(without)).rejects.toMatchObject({ status: 422 })
})

test.each(['../secret-key', '/etc/passwd', 'dynamodb/access-key', 'secret-keys/x', ''])(
  '422: a file at %j',
  async (path) => {
    const bad = [file(path, 'x')]
    await expect(read(await bytesOf(sourceOf([bad, bad])))).rejects.toMatchObject({ status: 422 })
  },
)

test('a failing source fails the archive with its reason', async () => {
  const source: SystemSource = {
    files: async () => [],
    async *items() {
      yield { table: 'items', count: 1, lines: Buffer.from('{}\n') }
      throw new Error('the store is gone')
    },
  }
  await expect(bytesOf(source)).rejects.toThrow('the store is gone')
})

test('an aborted read closes the source', async () => {
  let over = false
  const source: SystemSource = {
    files: async () => [],
    async *items() {
      try {
        for (;;) yield { table: 'items', count: 1, lines: Buffer.alloc(100_000, 10) }
      } finally {
        over = true
      }
    },
  }
  for await (const _ of systemArchive(source, clock, never)) break
  expect(over).toBe(true)
})
