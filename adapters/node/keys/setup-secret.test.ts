import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memorySetup } from '../../testing/memory/setup.ts'
import { keyFiles } from './key-files.ts'
import { prepareSetup } from './setup-secret.ts'

function world() {
  const directory = mkdtempSync(join(tmpdir(), 'setup-secret-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const store = memorySetup('')
  const printed: string[] = []
  const keys = keyFiles(directory)
  const file = keys.where('setup-secret')
  const start = (configured?: string) =>
    prepareSetup(keys, store, (secret) => void printed.push(secret), configured)
  return { store, printed, file, start }
}

test('prints a random secret, writes it to a private file and accepts it once', async () => {
  const { printed, file, start } = world()
  const setup = await start()
  const secret = printed[0] as string
  expect(Buffer.from(secret, 'base64url')).toHaveLength(24)
  expect(readFileSync(file, 'utf8').trim()).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await setup.matches(secret)).toBe(true)
  for (const other of ['', secret.slice(1), `${secret} `, secret.toUpperCase()]) {
    expect(await setup.matches(other)).toBe(false)
  }
  expect(await setup.consume()).toBe(true)
  expect(existsSync(file)).toBe(false)
  expect(await setup.matches(secret)).toBe(false)
  expect([await setup.open(), await setup.consume()]).toEqual([false, false])
})

test('keeps the secret across restarts until it is used', async () => {
  const { printed, file, start } = world()
  await start()
  const second = await start()
  expect(printed).toHaveLength(2)
  expect(printed[0]).toBe(printed[1])
  await second.consume()
  const third = await start()
  expect(printed).toHaveLength(2)
  expect(await third.matches(printed[0] as string)).toBe(false)
  expect(existsSync(file)).toBe(false)
})

test('rejects the secret after another process used it', async () => {
  const { store, printed, start } = world()
  const setup = await start()
  await store.consume()
  expect(await setup.matches(printed[0] as string)).toBe(false)
  expect(await setup.consume()).toBe(false)
})

test('a configured secret replaces it and is neither printed nor written', async () => {
  const { printed, file, start } = world()
  const setup = await start('chosen by automation')
  expect(await setup.matches('chosen by automation')).toBe(true)
  expect(printed).toEqual([])
  expect(existsSync(file)).toBe(false)
})

test('rejects an empty or short configured secret at startup', async () => {
  for (const secret of ['', 'short']) {
    await expect(world().start(secret)).rejects.toThrow('SERVICE_SETUP_SECRET')
  }
})
