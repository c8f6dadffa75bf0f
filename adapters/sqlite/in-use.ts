import { existsSync } from 'node:fs'
import { openDatabase } from './node-sqlite.ts'

/**
 * Returns whether a process has the file of a store open: the journal cannot be changed then.
 * Everything that is in the journal is in the file afterwards.
 */
export function isInUse(file: string): boolean {
  if (!existsSync(file)) return false
  const database = openDatabase(file)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    return false
  } catch (error) {
    if (/is locked/.test((error as Error).message)) return true
    throw error
  } finally {
    database.close()
  }
}
