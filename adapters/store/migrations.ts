import type { Table } from './table.ts'

/**
 * A change of the format of stored items. `run` converts every item of the format `from`. It may
 * be killed anywhere and run again, and other processes use the store in the meantime, so it must
 *
 * - read page by page (`scanPage`) and skip what is converted already,
 * - write an item only on the condition that it is still the one that was read (`rev`),
 * - stop when the signal aborts: the lease is lost or the service is stopped.
 *
 * The version before the one with the migration must read both formats: see
 * docs/adr/0003-the-store-and-its-format.md.
 */
export interface Migration {
  from: number
  to: number
  run(tables: { items: Table; logs: Table }, signal: AbortSignal): Promise<void>
}

/** Every migration, in order. */
export const migrations: readonly Migration[] = []
