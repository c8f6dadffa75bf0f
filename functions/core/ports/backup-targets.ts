import type { BackupTarget } from '../records/backup-target.ts'

/** A stream of bytes with back-pressure. Breaking out of the loop closes the source. */
export type Bytes = AsyncIterable<Uint8Array>

/** Opens the targets of backups. */
export interface BackupTargets {
  /**
   * Opens a target.
   *
   * @throws 422 if the target is not allowed
   * @throws 500 if it does not respond
   */
  open(target: BackupTarget, signal?: AbortSignal): Promise<OpenTarget>
  /**
   * Returns the location of a name as text: a path, `s3://…` or `sftp://…`. Contains no secrets.
   */
  location(target: BackupTarget, name: string): string
}

/**
 * An open target. Names are relative, with slashes, without `..`. Every method throws a 500 that
 * says what happened, such as a full disk or a lost connection.
 */
export interface OpenTarget {
  /**
   * Stores an object and replaces an existing one. The object becomes visible once it is complete.
   * If the source fails or the signal aborts, nothing of it is left.
   */
  put(name: string, content: Bytes, signal: AbortSignal): Promise<{ bytes: number }>
  /**
   * Returns the bytes of an object from an offset on.
   *
   * @throws 404 if there is no such object
   */
  get(name: string, options?: { offset?: number; signal?: AbortSignal }): Promise<Bytes>
  /**
   * Returns the objects below a directory at any depth, including partial uploads, in order of
   * name.
   */
  list(directory: string, signal?: AbortSignal): Promise<{ name: string; bytes: number }[]>
  /** Removes objects and the directories that become empty. Names that do not exist are ignored. */
  remove(names: string[], signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}
