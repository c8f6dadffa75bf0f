import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { functionConfig } from './function-config.ts'

function given() {
  const directory = mkdtempSync(join(tmpdir(), 'function-config-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return {
    SERVICE_DATA_DIR: join(directory, 'data'),
    SERVICE_DYNAMODB_TABLE: 'a-table',
    SERVICE_SECRET_KEY: 'ab'.repeat(32),
  }
}

test('reads the variables of the service, for a process without agents and key files', () => {
  const env = given()
  const { dataDirectory, store, role, keyPlace, stacksDirectory } = functionConfig(env)
  expect([dataDirectory, store.kind, store.table]).toEqual([
    env.SERVICE_DATA_DIR,
    'dynamodb',
    'a-table',
  ])
  expect(stacksDirectory).toBe('/opt/stacks')
  expect([role, keyPlace, existsSync(dataDirectory)]).toEqual(['api', 'store', true])
})

test('needs no data directory', () => {
  expect(functionConfig({ ...given(), SERVICE_DATA_DIR: '' }).dataDirectory).toMatch(
    /container-stacks$/,
  )
})

test.each([
  ['SERVICE_SECRET_KEY', { SERVICE_SECRET_KEY: '' }],
  ['SERVICE_KEYS', { SERVICE_KEYS: 'files' }],
  ['SERVICE_STORE', { SERVICE_STORE: 'sqlite' }],
  ['SERVICE_LOG_LEVEL', { SERVICE_LOG_LEVEL: 'loud' }],
])('names %s if it does not fit', (name, changes) => {
  expect(() => functionConfig({ ...given(), ...changes })).toThrow(name)
})
