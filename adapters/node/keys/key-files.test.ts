import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keyStoreContract } from '../../testing/contract/key-store.ts'
import { keyFiles } from './key-files.ts'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'key-files-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

describe('keys in files', () =>
  keyStoreContract(async () => {
    const directory = newDirectory()
    return { one: keyFiles(directory), other: keyFiles(directory) }
  }))

test('each key is a private file with its name, and nothing else is left', async () => {
  const directory = newDirectory()
  const keys = keyFiles(directory)
  await keys.create('signing-keys.json', 'first')
  await keys.create('secret-keys/1', 'key')
  expect(await keys.replace('signing-keys.json', 'second', 'first')).toBe(true)
  expect(readdirSync(directory, { recursive: true }).sort()).toEqual([
    'secret-keys',
    'secret-keys/1',
    'signing-keys.json',
  ])
  const mode = (name: string) => statSync(join(directory, name)).mode & 0o777
  expect([mode('signing-keys.json'), mode('secret-keys/1')]).toEqual([0o600, 0o600])
  chmodSync(join(directory, 'signing-keys.json'), 0o644)
  await keys.find('signing-keys.json')
  expect(mode('signing-keys.json')).toBe(0o600)
})
