import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackupCodec } from '../../functions/core/ports/backup-codec.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import type { ObjectForm } from '../../functions/core/records/backup-manifest.ts'
import { flipBits } from '../../local/harness/flip-bits.ts'
import { present } from '../testing/present.ts'
import { newIdentity } from './age.ts'
import { backupCodec } from './codec.ts'
import { ownZstd, packageZstd } from './zstd.ts'

let directory: string
let identity: string
let codec: BackupCodec

beforeAll(async () => {
  directory = mkdtempSync('/tmp/codec-')
  identity = await newIdentity(new Date())
  codec = await backupCodec({ identity })
})
afterAll(() => rmSync(directory, { recursive: true }))

const zst: ObjectForm = { compression: 'zstd', encrypted: false }
const age: ObjectForm = { compression: 'zstd', encrypted: true }
const forms: ObjectForm[] = (['zstd', 'gzip', 'none'] as const).flatMap((compression) => [
  { compression, encrypted: false },
  { compression, encrypted: true },
])

/** Lengths around those of chunks (64 KiB) and frames (1 MiB). */
const lengths = [0, 1, 65_535, 65_536, 65_537, 1_048_576, 2_097_152, 2_097_153, 5_000_000]

/** Returns content of which half can be compressed. */
function content(length: number): Buffer {
  const bytes = Buffer.alloc(length, 'the same again and again, ')
  randomBytes(Math.floor(length / 2)).copy(bytes)
  return bytes
}

async function* inPieces(bytes: Buffer, size = 100_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function whole(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}

const packed = (bytes: Buffer, form: ObjectForm, by = codec) =>
  whole(by.pack(inPieces(bytes), form).stream)
const unpacked = (bytes: Buffer, form: ObjectForm, by = codec) =>
  whole(by.unpack(inPieces(bytes, 77_777), form).stream)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test.each(forms)('unpacks what it packed and counts the bytes of both: %o', async (form) => {
  for (const length of lengths) {
    const bytes = content(length)
    const there = codec.pack(inPieces(bytes), form)
    const stored = await whole(there.stream)
    const back = codec.unpack(inPieces(stored, 4_321), form)
    expect((await whole(back.stream)).equals(bytes)).toBe(true)
    const counts = {
      content: { bytes: length, sha256: sha256(bytes) },
      stored: { bytes: stored.length, sha256: sha256(stored) },
    }
    expect(there.counts()).toEqual(counts)
    expect(back.counts()).toEqual(counts)
  }
})

test('the age, zstd and gzip programs read its archives', async () => {
  const key = join(directory, 'key.txt')
  writeFileSync(key, identity)
  const options = { maxBuffer: 1e8 }
  for (const length of lengths) {
    const bytes = content(length)
    for (const [form, program] of [
      [{ compression: 'zstd', encrypted: true }, `age -d -i ${key} | zstd -dc`],
      [{ compression: 'gzip', encrypted: false }, 'gzip -dc'],
    ] as const) {
      const input = await packed(bytes, form)
      const script = `set -o pipefail; ${program}`
      const output = execFileSync('bash', ['-c', script], { input, ...options })
      expect(output.equals(bytes)).toBe(true)
    }
  }
})

test('unpacks archives of the age and zstd programs', async () => {
  const [recipient] = present(identity.match(/age1\w+/))
  for (const length of lengths) {
    const bytes = content(length)
    const file = join(directory, 'file')
    writeFileSync(file, bytes)
    const sealed = execFileSync('age', ['-r', recipient, file], { maxBuffer: 1e8 })
    expect((await unpacked(sealed, { compression: 'none', encrypted: true })).equals(bytes)).toBe(
      true,
    )
  }
  // A frame as the `zstd` program writes it, with no more content than the limit.
  const bytes = content(1_500_000)
  const stored = execFileSync('zstd', ['-c'], { input: bytes, maxBuffer: 1e8 })
  expect((await unpacked(stored, zst)).equals(bytes)).toBe(true)
})

test('encrypts for several recipients and accepts key files of age', async () => {
  const key = execFileSync('age-keygen', { stdio: 'pipe', encoding: 'utf8' })
  const [recipient] = present(key.match(/age1\w+/))
  const several = await backupCodec({ identity, recipients: [recipient] })
  const bytes = content(10_000)
  const stored = await packed(bytes, age, several)
  const other = await backupCodec({ identity: key })
  for (const reader of [codec, several, other]) {
    expect((await unpacked(stored, age, reader)).equals(bytes)).toBe(true)
  }
  await expect(backupCodec({ identity, recipients: ['age1nonsense'] })).rejects.toThrow()
})

/** A plain archive is cut short unnoticed: it has no end of its own. */
const closed = forms.filter(({ compression, encrypted }) => compression !== 'none' || encrypted)

test.each(closed)('detects a truncated archive at every length: %o', async (form) => {
  const stored = await packed(content(3_000_000), form)
  const cuts = [0, 1, 4, 6, 20, 100, 500, 1_000, 70_000, 1_048_576, stored.length - 1]
  for (const length of cuts) {
    const cut = unpacked(stored.subarray(0, length), form)
    await expect(cut, String(length)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('cut short'),
    })
  }
})

test('detects an age file cut between two chunks', async () => {
  const form: ObjectForm = { compression: 'none', encrypted: true }
  const stored = await packed(content(300_000), form)
  const headerBytes = stored.length - 300_000 - 5 * 16
  for (const chunks of [0, 1, 3, 4]) {
    const cut = stored.subarray(0, headerBytes + chunks * 65_552)
    await expect(unpacked(cut, form)).rejects.toThrow('The archive was cut short')
  }
})

test('detects a flipped bit anywhere and returns nothing after it', async () => {
  const bytes = content(3_000_000)
  const stored = await packed(bytes, age)
  for (const at of [0, 30, 100, 190, 250, 5_000, 1_200_000, stored.length - 1]) {
    const flipped = Buffer.from(stored)
    flipBits(flipped, at, 4)
    const given: Uint8Array[] = []
    const read = async () => {
      for await (const chunk of codec.unpack(inPieces(flipped), age).stream) given.push(chunk)
    }
    await expect(read(), String(at)).rejects.toMatchObject({ status: 422 })
    const before = Buffer.concat(given)
    expect(before.equals(bytes.subarray(0, before.length))).toBe(true)
  }
})

test('detects a flipped bit without encryption, at least by the digest', async () => {
  const bytes = content(3_000_000)
  for (const compression of ['zstd', 'gzip'] as const) {
    const stored = await packed(bytes, { compression, encrypted: false })
    expect(stored.length).toBeGreaterThan(10 * 149_993)
    for (let at = 0; at < stored.length; at += 149_993) {
      const flipped = Buffer.from(stored)
      flipBits(flipped, at, 4)
      const back = codec.unpack(inPieces(flipped), { compression, encrypted: false })
      const outcome = await whole(back.stream).then(
        (given) => sha256(given),
        (error) => error.status,
      )
      expect(outcome === 422 || outcome !== sha256(bytes), `${compression} ${at}`).toBe(true)
      if (outcome !== 422) expect(back.counts().stored.sha256).not.toBe(sha256(stored))
    }
  }
})

test('distinguishes a wrong key, damage and other formats', async () => {
  const stored = await packed(content(1_000), age)
  const other = await backupCodec({ identity: await newIdentity(new Date()) })
  await expect(unpacked(stored, age, other)).rejects.toThrow(
    'encrypted for a key that is not configured',
  )
  const text = Buffer.alloc(10_000, 'something else ')
  await expect(unpacked(text, age)).rejects.toThrow('not an encrypted archive')
  await expect(unpacked(text, zst)).rejects.toThrow('not an archive written by the service')
  await expect(unpacked(stored, zst)).rejects.toThrow('not an archive written by the service')
  await expect(unpacked(await packed(text, zst), age)).rejects.toThrow('not an encrypted archive')
})

test('rejects frames that would unpack to gigabytes before unpacking', async () => {
  const bomb = execFileSync('bash', ['-c', 'head -c 1000000000 /dev/zero | zstd -c'])
  expect(bomb.length).toBeLessThan(100_000)
  await expect(unpacked(bomb, zst)).rejects.toThrow('not an archive written by the service')
})

test('zstd of Node, where it exists, and of the package are compatible', async () => {
  const fromPackage = await packageZstd()
  expect(fromPackage).toBeDefined()
  const own = ownZstd(zlib)
  expect(own !== undefined).toBe('zstdCompress' in zlib)
  const implementations = [present(fromPackage), ...(own ? [own] : [])]
  const bytes = content(5_000_000)
  for (const writer of implementations) {
    const stored = await packed(bytes, zst, await backupCodec({ identity }, async () => writer))
    for (const reader of implementations) {
      const back = await backupCodec({ identity }, async () => reader)
      expect((await unpacked(stored, zst, back)).equals(bytes)).toBe(true)
    }
  }
})

test('without zstd, uses gzip and names zstd in the error for its archives', async () => {
  const without = await backupCodec({ identity }, async () => undefined)
  expect(without.compression).toBe('gzip')
  const bytes = content(1_000)
  const form: ObjectForm = { compression: without.compression, encrypted: true }
  expect((await unpacked(await packed(bytes, form, without), form)).equals(bytes)).toBe(true)
  expect(() => without.unpack(inPieces(bytes), zst)).toThrow('zstd is not available')
})

test('passes on errors of the source, stops on a signal, and closes the source', async () => {
  for (const form of forms) {
    async function* failing() {
      yield content(3_000_000)
      throw new Error('the disk is gone')
    }
    await expect(whole(codec.pack(failing(), form).stream)).rejects.toThrow('the disk is gone')
    const stop = new AbortController()
    let ended = false
    async function* endless() {
      try {
        for (;;) yield content(500_000)
      } finally {
        ended = true
      }
    }
    const { stream } = codec.pack(endless(), form, stop.signal)
    const read = async () => {
      for await (const _ of stream) stop.abort(new Error('enough'))
    }
    await expect(read()).rejects.toThrow('enough')
    await expect.poll(() => ended).toBe(true)
    ended = false
    for await (const _ of codec.pack(endless(), form).stream) break
    await expect.poll(() => ended).toBe(true)
  }
})

test('does not block the event loop with a fast source, nor read far ahead', async () => {
  const bytes = content(8_000_000)
  let given = 0
  async function* much() {
    for (let round = 0; round < 12; round++) {
      for await (const piece of inPieces(bytes, 65_536)) {
        given += piece.length
        yield piece
      }
    }
  }
  let turns = 0
  let going = true
  const turn = () => {
    turns++
    if (going) setImmediate(turn)
  }
  turn()
  const back = codec.unpack(codec.pack(much(), age).stream, age)
  let taken = 0
  let most = 0
  for await (const piece of back.stream) {
    taken += piece.length
    most = Math.max(most, given - taken)
  }
  going = false
  expect(back.counts().content.bytes).toBe(96_000_000)
  // Other work has its turn at least once for each megabyte, however fast the machine is.
  expect(turns).toBeGreaterThan(96)
  expect(most).toBeLessThan(32_000_000)
})

test('the programs reject the same damaged archives', async () => {
  const stored = await packed(content(200_000), zst)
  const { status } = spawnSync('zstd', ['-t'], { input: stored.subarray(0, -1) })
  expect(status).not.toBe(0)
  expect(readFileSync(join(directory, 'key.txt'), 'utf8')).toContain('AGE-SECRET-KEY-1')
})

test('500: refuses to encrypt without a usable key', async () => {
  const codec = await backupCodec({ identity: '# empty\n' })
  const drain = async () => {
    const content = (async function* () {
      yield new Uint8Array(10)
    })()
    const form = { compression: 'none' as const, encrypted: true }
    for await (const _chunk of codec.pack(content, form).stream);
  }
  await expect(drain()).rejects.toMatchObject({
    status: 500,
    message:
      'no key could decrypt this backup; check backup-identity.txt and the configured recipients',
  })
})
