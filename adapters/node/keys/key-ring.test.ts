import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyOf } from '../../../functions/core/records/keys.ts'
import { present } from '../../testing/present.ts'
import { keyFiles } from './key-files.ts'
import { openKeyRing } from './key-ring.ts'

function newPlace() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'key-ring-'))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }))
  const open = (configured?: string) =>
    openKeyRing({ keys: keyFiles(dataDirectory), name: 'secret-key', configured })
  return { dataDirectory, open }
}

test('creates one random key in a private file for concurrent and later starts', async () => {
  const { dataDirectory, open } = newPlace()
  const rings = await Promise.all(Array.from({ length: 5 }, () => open()))
  for (const ring of rings) expect(ring.keys).toEqual(present(rings[0]).keys)
  expect((await open()).keys).toEqual(present(rings[0]).keys)
  const { current, keys } = present(rings[0])
  expect(keys[current]).toHaveLength(32)
  expect(statSync(join(dataDirectory, 'secret-key')).mode & 0o777).toBe(0o600)
  expect((await newPlace().open()).current).not.toBe(current)
})

test('reads configured keys in base64 or hex and puts them first, in order', async () => {
  const { open } = newPlace()
  const older = await open()
  const [key, before] = [randomBytes(32), randomBytes(32)]
  const first = await open(`${key.toString('base64')}, ${before.toString('hex')}`)
  expect(Buffer.from(present(first.keys[first.current]))).toEqual(key)
  expect((await first.list()).map(({ source }) => source)).toEqual([
    'environment',
    'environment',
    'file',
  ])
  expect(first.keys[older.current]).toEqual(older.keys[older.current])
  const again = await open(`${key.toString('hex')},${before.toString('base64')}`)
  expect(again.keys).toEqual(first.keys)
})

test('a new key is current at once, private, and known to other processes on first use', async () => {
  const { dataDirectory, open } = newPlace()
  const [one, other] = [await open(), await open()]
  const first = one.current
  const id = await one.add()
  expect(one.current).toBe(id)
  expect(await one.list()).toMatchObject([{ id, createdAt: expect.any(Number) }, { id: first }])
  expect(keyOf(other, id)).toEqual(one.keys[id])
  expect(other.current).toBe(id)
  expect((await open()).current).toBe(id)
  const [name] = readdirSync(join(dataDirectory, 'secret-keys'))
  expect(statSync(join(dataDirectory, 'secret-keys', present(name))).mode & 0o777).toBe(0o600)
})

test('concurrent creations lose no key', async () => {
  const { open } = newPlace()
  const rings = await Promise.all(Array.from({ length: 8 }, () => open()))
  const ids = await Promise.all(rings.map((ring) => ring.add()))
  const last = await open()
  for (const id of ids) expect(last.keys[id]).toHaveLength(32)
})

test('a dropped key stays gone after a restart and is not replaced', async () => {
  const { open } = newPlace()
  const ring = await open()
  const first = ring.current
  const id = await ring.add()
  await ring.drop(first)
  expect(Object.keys(ring.keys)).toEqual([id])
  expect(Object.keys((await open()).keys)).toEqual([id])
})

test('rejects an invalid key by its source without showing it', async () => {
  for (const text of ['', 'secret', randomBytes(16).toString('hex'), 'x'.repeat(44)]) {
    const error = await newPlace()
      .open(text)
      .catch((reason: Error) => reason)
    expect(String(error)).toContain('SERVICE_SECRET_KEY')
    if (text) expect(String(error)).not.toContain(text)
  }
  const { dataDirectory, open } = newPlace()
  writeFileSync(join(dataDirectory, 'secret-key'), '')
  await expect(open()).rejects.toThrow('secret-key')
})
