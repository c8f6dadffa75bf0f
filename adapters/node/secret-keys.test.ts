import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadSecretKeys } from './secret-keys.ts'

function newDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'secret-keys-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test('a random key in a private file, the same for all who start at once and afterwards', async () => {
  const directory = newDirectory()
  const loaded = await Promise.all(Array.from({ length: 5 }, () => loadSecretKeys(directory)))
  for (const keys of loaded) expect(keys).toEqual(loaded[0])
  expect(await loadSecretKeys(directory)).toEqual(loaded[0])
  const { current, keys } = loaded[0]!
  expect(keys[current]).toHaveLength(32)
  expect(statSync(join(directory, 'secret-key')).mode & 0o777).toBe(0o600)
  expect((await loadSecretKeys(newDirectory())).current).not.toBe(current)
})

test('a configured key in base64 or hex is the same key and comes first', async () => {
  const directory = newDirectory()
  const older = await loadSecretKeys(directory)
  const key = randomBytes(32)
  const first = await loadSecretKeys(directory, key.toString('base64'))
  expect(Buffer.from(first.keys[first.current]!)).toEqual(key)
  expect(first.keys[older.current]).toEqual(older.keys[older.current])
  expect(await loadSecretKeys(directory, key.toString('hex'))).toEqual(first)
})

test('a text that is no key is refused by the name of its source, and never shown', async () => {
  for (const text of ['', 'secret', randomBytes(16).toString('hex'), 'x'.repeat(44)]) {
    const error = await loadSecretKeys(newDirectory(), text).catch((reason: Error) => reason)
    expect(String(error)).toContain('SERVICE_SECRET_KEY')
    if (text) expect(String(error)).not.toContain(text)
  }
  const directory = newDirectory()
  writeFileSync(join(directory, 'secret-key'), '')
  await expect(loadSecretKeys(directory)).rejects.toThrow('secret-key')
})
