import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryClock } from '../../testing/memory/clock.ts'
import { keyFiles } from './key-files.ts'
import { openSigningKeys } from './signing-keys.ts'

function world() {
  const directory = mkdtempSync(join(tmpdir(), 'signing-keys-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = memoryClock()
  const file = join(directory, 'signing-keys.json')
  return { directory, file, clock, open: () => openSigningKeys(keyFiles(directory), clock) }
}

test('creates a random key in a private file that survives a restart', async () => {
  const first = world()
  const key = await (await first.open()).current()
  expect(statSync(first.file).mode & 0o777).toBe(0o600)
  expect((await (await first.open()).current()).id).toBe(key.id)
  const other = await (await world().open()).current()
  expect(other.publicKey.equals(key.publicKey)).toBe(false)
})

test('concurrent starts share one key', async () => {
  const { open } = world()
  const opened = await Promise.all(Array.from({ length: 8 }, open))
  const ids = await Promise.all(opened.map(async (keys) => (await keys.current()).id))
  expect(new Set(ids).size).toBe(1)
})

test('makes a file private that others could read', async () => {
  const { file, open } = world()
  await open()
  chmodSync(file, 0o644)
  await open()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a rotated key verifies for 20 more minutes, also after a restart', async () => {
  const { clock, open } = world()
  const keys = await open()
  const old = await keys.current()
  await keys.rotate()
  expect((await keys.current()).id).not.toBe(old.id)
  clock.advance(20 * 60_000 - 1)
  expect(await keys.find(old.id)).toBeDefined()
  expect(await (await open()).find(old.id)).toBeDefined()
  clock.advance(1)
  expect(await keys.find(old.id)).toBeUndefined()
  expect(await (await open()).find(old.id)).toBeUndefined()
})

test('another process learns a new key on first use', async () => {
  const { open } = world()
  const [one, other] = [await open(), await open()]
  await one.rotate()
  expect(await other.find((await one.current()).id)).toBeDefined()
})

test('rotates a key after 30 days and removes old ones from the file', async () => {
  const { clock, file, open } = world()
  const keys = await open()
  const first = await keys.current()
  clock.advance(30 * 86_400_000)
  const second = await keys.current()
  expect(second.id).not.toBe(first.id)
  clock.advance(30 * 86_400_000)
  await keys.current()
  const ids = JSON.parse(readFileSync(file, 'utf8')).keys.map((key: { id: string }) => key.id)
  expect(ids).not.toContain(first.id)
  expect(ids).toContain(second.id)
})

test('concurrent calls replace an old key once', async () => {
  const { clock, file, open } = world()
  const keys = await open()
  clock.advance(30 * 86_400_000)
  const current = await Promise.all(Array.from({ length: 20 }, () => keys.current()))
  expect(new Set(current.map(({ id }) => id)).size).toBe(1)
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toHaveLength(2)
})

test('a damaged file is an error and never replaced by a new key', async () => {
  for (const text of ['', '{}', '{"keys":[]}', 'nonsense']) {
    const { file, open } = world()
    writeFileSync(file, text)
    await expect(open()).rejects.toThrow()
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})

test('keys created while the clock was ahead do not outlive it', async () => {
  const { clock, open } = world()
  const keys = await open()
  const first = await keys.current()
  clock.advance(400 * 86_400_000)
  const ahead = await keys.current()
  expect(ahead.id).not.toBe(first.id)
  clock.advance(-400 * 86_400_000)
  expect(await keys.find(first.id)).toBeUndefined()
  expect((await keys.current()).id).not.toBe(ahead.id)
  clock.advance(21 * 60_000)
  expect(await keys.find(ahead.id)).toBeUndefined()
})

test('a removed file is created again, and its keys are refused', async () => {
  const { file, open } = world()
  const keys = await open()
  const first = await keys.current()
  rmSync(file)
  expect(await keys.find('unknown')).toBeUndefined()
  expect(existsSync(file)).toBe(true)
  expect((await keys.current()).id).not.toBe(first.id)
  expect(await keys.find(first.id)).toBeUndefined()
})

test('keys removed from the store stay in use until the next start', async () => {
  const { clock, file, directory } = world()
  const open = () => openSigningKeys({ ...keyFiles(directory), kind: 'store' }, clock)
  const keys = await open()
  const first = await keys.current()
  rmSync(file)
  expect(await keys.find('unknown')).toBeUndefined()
  expect((await keys.current()).id).toBe(first.id)
  clock.advance(30 * 86_400_000)
  await keys.current()
  expect(existsSync(file)).toBe(false)
  const restarted = await (await open()).current()
  expect(restarted.id).not.toBe(first.id)
  expect((await keys.find(restarted.id))?.id).toBe(restarted.id)
})
