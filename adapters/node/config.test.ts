import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test.each([
  ['auth:\n  lockout_max_attempts: lots\n', 'auth.lockout_max_attempts: a number is expected'],
  ['port: nope\n', 'SERVICE_PORT: a number is expected'],
  ['auth: { lockout_max: 3 }\n', 'configuration file: unknown key auth.lockout_max'],
  ['- port\n', 'a mapping is expected'],
])('a file with %j is refused by the name of the key', (text, message) => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    writeFileSync(join(directory, 'config.yaml'), text)
    expect(() => readConfig({ SERVICE_DATA_DIR: directory })).toThrow(message)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('an unknown variable is refused by its name', () => {
  expect(() => readConfig({ SERVICE_PROT: '1' })).toThrow('environment: unknown key SERVICE_PROT')
})
