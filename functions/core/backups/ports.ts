import type { Collection } from '../collection.ts'
import type { BackupJob } from './job.ts'
import type { ObjectForm } from './manifest.ts'
import type { BackupRun } from './run.ts'
import type { BackupTarget } from './target.ts'

/** Backup jobs by ID, encrypted at rest. Names are unique, ignoring case. */
export type BackupJobs = Collection<BackupJob>

/** A filter for runs. */
export interface RunQuery {
  jobId?: string
  /** Only runs on these hosts. */
  hosts?: readonly string[]
  limit: number
}

/** Runs of backups and restores, encrypted at rest. */
export interface BackupRuns {
  find(id: string): Promise<BackupRun | undefined>
  /** Returns runs, newest first. */
  list(query: RunQuery): Promise<BackupRun[]>
  create(run: BackupRun): Promise<void>
  /**
   * Replaces the whole record. Returns false if it was removed, or was written under a later lease
   * (`fence`).
   */
  save(run: BackupRun): Promise<boolean>
  /**
   * Returns the unfinished runs of all processes: those in progress, even if their process died,
   * and those with work left on their host.
   */
  listUnfinished(): Promise<BackupRun[]>
  remove(id: string): Promise<void>
}

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

/**
 * Compresses and encrypts archives in open formats: zstd (RFC 8878) or gzip (RFC 1952), then age.
 */
export interface BackupCodec {
  /** The compression of new archives. */
  readonly compression: 'zstd' | 'gzip'
  /** Encodes content for storage. */
  pack(content: Bytes, form: ObjectForm, signal?: AbortSignal): Coded
  /**
   * Decodes a stored object. Reading it throws 422 if the object was truncated, changed or
   * encrypted with another key.
   */
  unpack(stored: Bytes, form: ObjectForm, signal?: AbortSignal): Coded
}

/** A stream through a codec. */
export interface Coded {
  stream: Bytes
  /** Returns the counts of both sides of the codec. They are final at the end of the stream. */
  counts(): { content: ByteCount; stored: ByteCount }
}

export interface ByteCount {
  bytes: number
  /** SHA-256 in hex. */
  sha256: string
}

/** The service's own state. */
export interface SystemArchive {
  /** Returns the records of the store, and the keys kept outside it, as one tar archive. */
  read(signal: AbortSignal): Bytes
}
