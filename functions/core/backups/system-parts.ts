/** What an archive of the service's state says of itself. */
export interface SystemAbout {
  format: 'container-stacks system'
  version: 1
  /** Of the service that wrote it. */
  service: string
  /** RFC 3339. */
  createdAt: string
}

/** A file that stands beside the store. `path` is one of `isSystemPath`. */
export interface SystemFile {
  path: string
  mode: number
  content: Uint8Array
}

/** Which of the store's two tables: that of the records, or that of audit rows and logs. */
export const storeTables = ['items', 'logs'] as const
export type StoreTable = (typeof storeTables)[number]

/** Some items of a table: a line of JSON each, `{"Item": …}` in DynamoDB's own form. */
export interface ItemChunk {
  table: StoreTable
  count: number
  lines: Uint8Array
}

/** Where the parts come from. */
export interface SystemSource {
  /** Those that are there now. `startedAt`: milliseconds, of the archive. */
  files(startedAt: number): Promise<SystemFile[]>
  /** Every item that a restored service needs. */
  items(signal: AbortSignal): AsyncIterable<ItemChunk>
}

/** How many of what an archive holds: its last entry, so that one that was cut off is known. */
export interface SystemCounts {
  files: number
  items: number
  logs: number
}

const fixed = [
  'signing-keys.json',
  'secret-key',
  'audit-key',
  'audit-head',
  'agent-authority.pem',
  'backup-identity.txt',
  'config.yaml',
]

/** Whether a path is one of those that an archive may hold, relative to the data directory: nothing else is ever written. */
export const isSystemPath = (path: string) =>
  fixed.includes(path) || /^(secret|audit)-keys\/\d{15}-[0-9a-f]{16}$/.test(path)

/** The most bytes of a file, and of some items. */
export const fileBytesMax = 1024 * 1024
export const chunkBytesMax = 16 * 1024 * 1024
