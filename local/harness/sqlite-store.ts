import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { Store } from '../../adapters/store/store.ts'

/** Returns the path of a store that does not exist yet, in a directory that the test removes. */
export function newStoreFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-sqlite-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'sqlite', 'store.db')
}

/** Returns a store that is closed at the end of the test, by default on a new file. */
export function testSqlite(file = newStoreFile()): Store {
  const store = sqliteStore({ file, explain: async () => undefined })
  onTestFinished(async () => store.close())
  return store
}

/** Returns such a store after its threads have started, which takes long on a busy machine. */
export async function openedSqlite(file = newStoreFile()): Promise<Store> {
  const store = testSqlite(file)
  await store.ensure()
  return store
}
