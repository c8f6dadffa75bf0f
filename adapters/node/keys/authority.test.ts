import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../process/clock.ts'
import { fileAuthority, hasAuthority, mayCreateAuthority } from './authority.ts'

function newConfig(env: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'authority-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return readConfig({ SERVICE_DATA_DIR: directory, ...env })
}

const inStore = { SERVICE_SECRET_KEY: 'a'.repeat(64), SERVICE_KEYS: 'store' }

test('a process with agents, or one that shares its directory, creates the authority', async () => {
  const all: Record<string, string>[] = [inStore, { SERVICE_ROLE: 'api' }, {}]
  for (const env of all) {
    const config = newConfig(env)
    expect([hasAuthority(config), mayCreateAuthority(config)]).toEqual([false, true])
    await fileAuthority(config.dataDirectory, systemClock, true).fingerprint()
    expect(hasAuthority(config)).toBe(true)
  }
})

test('409: a process without agents that shares the keys in the store creates none', async () => {
  const config = newConfig({ ...inStore, SERVICE_ROLE: 'api' })
  expect([hasAuthority(config), mayCreateAuthority(config)]).toEqual([false, false])
  const authority = fileAuthority(config.dataDirectory, systemClock, mayCreateAuthority(config))
  await expect(authority.fingerprint()).rejects.toMatchObject({ status: 409 })
  expect(readdirSync(config.dataDirectory)).toEqual([])
})
