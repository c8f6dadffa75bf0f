/** The description of an archive of the service's state. */
export interface ArchiveDescription {
  format: 'container-stacks system'
  version: 1
  /** The version of the service that wrote it. */
  service: string
  /** RFC 3339. */
  createdAt: string
}

/** A file outside the store. `path` satisfies `isSystemPath`. */
export interface SystemFile {
  path: string
  mode: number
  content: Uint8Array
}

/** The two tables of the store: records, and audit rows with logs. */
export const storeTables = ['items', 'logs'] as const
export type StoreTable = (typeof storeTables)[number]

/** Items of a table, one per line as JSON `{"Item": …}` in DynamoDB's own format. */
export interface ItemChunk {
  table: StoreTable
  count: number
  lines: Uint8Array
}

/** The source of an archive. */
export interface SystemSource {
  /**
   * Returns the current files. `startedAt` is when the archive was started, in milliseconds since
   * the epoch.
   */
  files(startedAt: number): Promise<SystemFile[]>
  /** Yields every item that a restored service needs. */
  items(signal: AbortSignal): AsyncIterable<ItemChunk>
}

/** The counts in the last entry of an archive, by which truncation is detected. */
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

/**
 * Returns whether an archive may contain a path, relative to the data directory. Other paths are
 * never written.
 */
export const isSystemPath = (path: string) =>
  fixed.includes(path) || /^(secret|audit)-keys\/\d{15}-[0-9a-f]{16}$/.test(path)

/** Maximum bytes of a file and of a chunk of items. */
export const fileBytesMax = 1024 * 1024
export const chunkBytesMax = 16 * 1024 * 1024
