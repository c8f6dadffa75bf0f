import { isBuiltin } from 'node:module'
import { must } from '../../functions/compose/must.ts'

type SqlValue = string | number | null | Uint8Array

/** A row of a result. */
export type SqlRow = Record<string, SqlValue>

export interface Statement {
  get(...values: SqlValue[]): SqlRow | undefined
  iterate(...values: SqlValue[]): Iterable<SqlRow>
  run(...values: SqlValue[]): unknown
}

/** An open SQLite file. The types of Node 20 do not have it. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Returns whether this Node has SQLite: 22.13 and newer. */
export const hasSqlite = (): boolean => isBuiltin('node:sqlite')

/** Opens an SQLite file, which is created if it does not exist. */
export function openDatabase(file: string): Database {
  // A static import would fail on Node 20, which runs the service with another store.
  const sqlite: unknown = must(process.getBuiltinModule('node:sqlite'), 'SQLite of Node')
  const { DatabaseSync } = sqlite as { DatabaseSync: new (file: string) => Database }
  return new DatabaseSync(file)
}
