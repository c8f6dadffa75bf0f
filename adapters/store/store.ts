import type { Table } from './table.ts'

/** The two tables of a store. */
export interface StoreTables {
  items: Table
  /** Audit rows, alert events and samples. */
  logs: Table
}

/** A store that the service keeps its records in. */
export interface Store extends StoreTables {
  /** Where its items are, for people. */
  readonly place: string
  /**
   * Creates the tables if they do not exist. Any number of processes may call this at once.
   *
   * @throws 500 if the store does not respond
   */
  ensure(): Promise<void>
  close(): void | Promise<void>
}
