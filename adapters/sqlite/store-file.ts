import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, openDatabase } from './node-sqlite.ts'
import { TableFile } from './table-file.ts'

/** The version of the tables below, stored in the file as `user_version`. */
const tablesVersion = 1

/** Milliseconds that a call waits for another process that writes. */
const busyMax = 2000

/** Two tables in one SQLite file. */
export interface StoreFile {
  items: TableFile
  logs: TableFile
  /** Runs the work in a transaction that is on disk when this returns. */
  commit(work: () => void): void
  close(): void
}

/**
 * Opens the file of a store, which is created if it does not exist. Any number of processes of one
 * machine may use it.
 */
export function openStoreFile(file: string): StoreFile {
  createPrivate(file)
  const database = openDatabase(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMax}`)
    whileBusy(() => useJournal(database, file))
    // An acknowledged write survives a power cut.
    database.exec('PRAGMA synchronous = FULL')
    const commit = (work: () => void) => inTransaction(database, work)
    if (versionOf(database) !== tablesVersion) commit(() => createTables(database, file))
    return {
      items: new TableFile(database, 'items'),
      logs: new TableFile(database, 'logs'),
      commit,
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** @throws Error on a file system that cannot have this kind of journal, such as NFS */
function useJournal(database: Database, file: string): void {
  const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get() ?? {}
  if (mode !== 'wal') throw new Error(`${file}: it has to be on a local disk (journal ${mode})`)
}

/** Creates the file for the owner only. SQLite gives its mode to the files beside it. */
function createPrivate(file: string): void {
  const directory = dirname(file)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  // SQLite does not make the name of a new file durable.
  const opened = openSync(directory, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** SQLite itself ends the transaction after some errors, such as a full disk. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch (error) {
    if (!/no transaction is active/.test((error as Error).message)) throw error
  }
}

const versionOf = (database: Database) =>
  database.prepare('PRAGMA user_version').get()?.user_version

function createTables(database: Database, file: string): void {
  // Another process may have created them meanwhile.
  const found = versionOf(database)
  if (found === tablesVersion) return
  if (found !== 0)
    throw new Error(`${file} was made by a newer version of the service (tables ${found})`)
  for (const name of ['items', 'logs']) {
    // Columns are compared byte by byte, like DynamoDB's keys.
    database.exec(`
      CREATE TABLE ${name} (
        pk TEXT NOT NULL, sk TEXT NOT NULL, gsi1pk TEXT, gsi1sk TEXT,
        plain TEXT NOT NULL, bytes BLOB,
        PRIMARY KEY (pk, sk)
      ) STRICT;
      CREATE INDEX ${name}_gsi1 ON ${name} (gsi1pk, gsi1sk, pk, sk) WHERE gsi1pk IS NOT NULL;
    `)
  }
  database.exec(`PRAGMA user_version = ${tablesVersion}`)
}

/** The codes of SQLite for a file that another process has locked, without their details. */
const busyCodes = [5, 6]

/** Repeats a step while another process opens the file. SQLite does not wait in such a step. */
function whileBusy(step: () => void): void {
  const giveUpAt = performance.now() + busyMax
  for (;;) {
    try {
      step()
      return
    } catch (error) {
      const isBusy = busyCodes.includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)
      if (!isBusy || performance.now() > giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}
