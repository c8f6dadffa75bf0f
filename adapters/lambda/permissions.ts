/** The actions that a function needs on each table. */
export interface TableActions {
  items: readonly string[]
  logs: readonly string[]
}

/**
 * The caller is found, the use of an API token and a refused attempt are recorded. The end of the
 * audit rows is one of the keys in the store.
 */
const read: TableActions = {
  items: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'PutItem'],
  logs: ['GetItem', 'Query', 'PutItem'],
}

const change: TableActions = {
  items: [...read.items, 'DeleteItem', 'BatchWriteItem'],
  logs: read.logs,
}

/** Groups that need something else than `change` → what and why. */
const others: Readonly<Record<string, TableActions>> = {
  // Pages from files.
  docs: { items: [], logs: [] },
  // Writes one item to see whether the store accepts it.
  health: read,
  version: read,
  networks: read,
  volumes: read,
  'volume-sizes': read,
  'compose-projects': read,
  'container-metrics': read,
  alerts: read,
  'alert-events': read,
  metrics: read,
  // Removes old rows, which are in the table for logs.
  audit: { items: read.items, logs: [...read.logs, 'BatchWriteItem'] },
  // Counts the values under each key.
  'secret-keys': { items: [...change.items, 'Scan'], logs: read.logs },
}

/** Returns what the function of a group may do with the tables. */
export const actionsOf = (group: string): TableActions => others[group] ?? change
