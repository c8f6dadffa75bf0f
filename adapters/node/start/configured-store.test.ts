import { expect, test } from 'vitest'
import { hasSqlite } from '../../sqlite/node-sqlite.ts'
import { readConfig } from '../config/config.ts'
import { openConfiguredStore, sqliteFile, storeDirectory } from './configured-store.ts'

const config = (env: Record<string, string>) => readConfig({ SERVICE_DATA_DIR: '/nowhere', ...env })
const sqlite = config({ SERVICE_STORE: 'sqlite' })

test('knows where each store has its files', () => {
  expect(storeDirectory(config({}))).toBe('/nowhere/dynamodb')
  expect(storeDirectory(config({ SERVICE_DYNAMODB_ENDPOINT: 'http://db:8000' }))).toBeUndefined()
  expect(storeDirectory(sqlite)).toBe('/nowhere/sqlite')
  expect(sqliteFile(sqlite)).toBe('/nowhere/sqlite/store.db')
})

test('rejects an unknown store', () => {
  expect(() => config({ SERVICE_STORE: 'postgres' })).toThrow('SERVICE_STORE')
})

test.runIf(!hasSqlite())('a Node.js without SQLite fails with the remedy', async () => {
  await expect(openConfiguredStore(sqlite)).rejects.toThrow(
    /^SERVICE_STORE=sqlite needs Node\.js 22\.13 or newer, and this is v20\..*: start the service with Node\.js 24/,
  )
})
