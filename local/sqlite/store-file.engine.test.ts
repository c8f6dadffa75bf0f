import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isInUse } from '../../adapters/sqlite/in-use.ts'
import { openDatabase } from '../../adapters/sqlite/node-sqlite.ts'
import { newStoreFile, openedSqlite, testSqlite } from '../harness/sqlite-store.ts'

const silent = { status: 500, message: 'The store does not respond', reason: 'store-unavailable' }

test('connections that start at once create one store, for its owner only', async () => {
  const file = newStoreFile()
  const stores = Array.from({ length: 6 }, () => testSqlite(file))
  await Promise.all(stores.map((store) => store.ensure()))
  const taken = await Promise.all(
    stores.map(({ items }, index) =>
      items.put({ pk: 'a', sk: 'b', index }, { if: 'attribute_not_exists(#pk)' }),
    ),
  )
  expect(taken.filter(Boolean)).toHaveLength(1)
  const modes = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
})

test('concurrent additions of several connections are all made', async () => {
  const file = newStoreFile()
  const stores = await Promise.all([1, 2, 3].map(() => openedSqlite(file)))
  await stores[0]?.items.put({ pk: 'a', sk: 'b', count: 0 })
  const add = { set: '#count = #count + :one', if: 'attribute_exists(#pk)', values: { one: 1 } }
  await Promise.all(
    stores.flatMap(({ items }) =>
      Array.from({ length: 40 }, () => items.update({ pk: 'a', sk: 'b' }, add)),
    ),
  )
  expect(await stores[1]?.items.get('a', 'b')).toMatchObject({ count: 120 })
})

test('500: another process locks the file; reads and the event loop continue until it is released', async () => {
  const file = newStoreFile()
  const { items } = await openedSqlite(file)
  await items.put({ pk: 'a', sk: 'b', n: 1 })
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  const started = performance.now()
  const write = expect(items.put({ pk: 'a', sk: 'c' })).rejects.toMatchObject(silent)
  await pause(50)
  expect(await items.get('a', 'b')).toMatchObject({ n: 1 })
  expect(performance.now() - started).toBeLessThan(1500)
  await write
  expect(performance.now() - started).toBeLessThan(3000)
  other.exec('ROLLBACK')
  other.close()
  await expect.poll(() => items.put({ pk: 'a', sk: 'c' }).catch(() => false)).toBe(true)
})

test('500: the file is damaged, or cannot be created', async () => {
  const damaged = newStoreFile()
  mkdirSync(dirname(damaged), { recursive: true })
  writeFileSync(damaged, 'not a database, but long enough to be looked at'.repeat(100))
  await expect(testSqlite(damaged).ensure()).rejects.toMatchObject(silent)
  const blocked = newStoreFile()
  writeFileSync(dirname(blocked), '')
  await expect(testSqlite(blocked).ensure()).rejects.toMatchObject(silent)
  expect(existsSync(blocked)).toBe(false)
})

test('500: a newer version of the service made the tables', async () => {
  const file = newStoreFile()
  const store = await openedSqlite(file)
  await store.close()
  const database = openDatabase(file)
  database.exec('PRAGMA user_version = 2')
  database.close()
  await expect(testSqlite(file).ensure()).rejects.toMatchObject({
    ...silent,
    cause: { message: expect.stringContaining('newer version') },
  })
})

test('knows whether a process has the file open', async () => {
  const file = newStoreFile()
  expect(isInUse(file)).toBe(false)
  const store = await openedSqlite(file)
  await store.items.put({ pk: 'a', sk: 'b', n: 1 })
  expect(isInUse(file)).toBe(true)
  await store.items.put({ pk: 'a', sk: 'c' })
  await store.close()
  expect(isInUse(file)).toBe(false)
  expect(await (await openedSqlite(file)).items.get('a', 'b')).toMatchObject({ n: 1 })
})

test('a closed store has written everything into its file', async () => {
  const file = newStoreFile()
  const store = await openedSqlite(file)
  await store.items.put({ pk: 'a', sk: 'b', n: 1 })
  await store.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
  expect(await (await openedSqlite(file)).items.get('a', 'b')).toEqual({ pk: 'a', sk: 'b', n: 1 })
})
